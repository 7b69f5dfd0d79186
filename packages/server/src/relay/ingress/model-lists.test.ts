import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { channelApi, optionApi, tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');

const scene = await relayFixture(app, {
  upstreams: [completion()],
  channel: {
    models: 'gpt-4o,claude-3-5-haiku-latest,mine,renamed,dall-e-3,gpt-3.5-turbo',
    model_mapping: JSON.stringify({ renamed: 'moonshot-v1-8k', 'gpt-3.5-turbo': 'nobody-knows' }),
  },
});
await root.call(optionApi.update, {
  body: { key: 'GroupRatio', value: JSON.stringify({ default: 1, [scene.group]: 0.5 }) },
});
afterAll(() => scene.close());

const bearer = (key: string) => ({ authorization: `Bearer sk-${key}` });
const read = async (path: string, headers: Record<string, string> = bearer(scene.token.key)) =>
  (await fetch(`${app.url}${path}`, { headers })).json();

const plain = { object: 'model', created: 1_626_777_600, owned_by: 'headgate' };
/** Default price of a model without a configured price. */
const dear = { prompt: '0.00003', completion: '0.00003' };

describe('model list in the OpenAI format', () => {
  test("the model list contains the context window of the target model and the caller's price, and omits unknown values", async () => {
    expect(await read('/v1/models')).toEqual({
      object: 'list',
      data: [
        {
          ...plain,
          id: 'claude-3-5-haiku-latest',
          context_length: 200_000,
          pricing: { prompt: '0.0000004', completion: '0.000002' },
        },
        { ...plain, id: 'dall-e-3' },
        // The name suggests a context window, but the model is mapped to another model.
        { ...plain, id: 'gpt-3.5-turbo', pricing: { prompt: '0.00000025', completion: '0.00000075' } },
        { ...plain, id: 'gpt-4o', context_length: 128_000, pricing: { prompt: '0.0000025', completion: '0.00001' } },
        { ...plain, id: 'mine', pricing: dear },
        { ...plain, id: 'renamed', context_length: 8192, pricing: dear },
      ],
    });
  });

  test('the listed price matches the price charged for a request', async () => {
    const before = (await scene.books()).user.used_quota;
    await scene.chat();
    const points = (await scene.books()).user.used_quota - before;
    const { pricing } = (await read('/v1/models/gpt-4o')) as { pricing: typeof dear };
    // Ten prompt and five completion tokens, in whole points.
    expect(points).toBe(Math.ceil((10 * Number(pricing.prompt) + 5 * Number(pricing.completion)) * 500_000));
  });

  test("the model list can be read by OpenAI's client", async () => {
    const client = new OpenAI({ apiKey: `sk-${scene.token.key}`, baseURL: `${app.url}/v1` });
    const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
    expect(ids).toContain('gpt-4o');
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', context_length: 128_000 });
    await expect(client.models.retrieve('gpt-9')).rejects.toMatchObject({ status: 404 });
  });
});

test("Anthropic's client reads the model list in its format", async () => {
  const client = new Anthropic({ apiKey: `sk-${scene.token.key}`, baseURL: app.url });
  const rows = await Array.fromAsync(client.models.list());
  expect(rows.find(({ id }) => id === 'gpt-4o')).toMatchObject({ type: 'model', max_input_tokens: 128_000 });
  expect(rows.find(({ id }) => id === 'mine')).not.toHaveProperty('max_input_tokens');
  expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o' });
});

test("Google's client reads the model list in its format", async () => {
  const client = new GoogleGenAI({ apiKey: `sk-${scene.token.key}`, httpOptions: { baseUrl: app.url } });
  const row = { name: 'models/gpt-4o', inputTokenLimit: 128_000 };
  expect(await client.models.get({ model: 'gpt-4o' })).toMatchObject(row);
  const rows = await Array.fromAsync(await client.models.list());
  expect(rows.map(({ name }) => name)).toContain('models/mine');
});

describe('[A15.3] model lists of restricted tokens', () => {
  const idsFor = async (key: string) =>
    ((await read('/v1/models', bearer(key))) as { data: readonly { id: string }[] }).data.map(({ id }) => id);

  test('model lists contain only the models of a token limited to some models', async () => {
    const limited = await relayFixture(app, { upstreams: [completion()], token: { models: 'gpt-4o,not-served' } });
    expect(await idsFor(limited.token.key)).toEqual(['gpt-4o']);
    const headers = bearer(limited.token.key);
    expect(await read('/v1/models/gpt-3.5-turbo', headers)).toMatchObject({ error: { code: 'model_not_found' } });
    await limited.close();
  });

  test('model lists contain only the models of a channel pinned by an admin', async () => {
    await createChannel(scene.admin, 'elsewhere', 'http://127.0.0.1:9', { models: 'only-there,gpt-4o' });
    const rows = await scene.admin.call(channelApi.search, { query: { keyword: 'elsewhere' } });
    const pinned = rows.find(({ name }) => name === 'elsewhere')?.id;
    const own = { name: 'pins', unlimited_quota: true };
    const token = await scene.admin.call(tokenApi.create, { body: own });
    expect(await idsFor(`${token.key}-${pinned}`)).toEqual(['gpt-4o', 'only-there']);
    expect(await idsFor(`${token.key}-999999`)).toEqual([]);
  });
});
