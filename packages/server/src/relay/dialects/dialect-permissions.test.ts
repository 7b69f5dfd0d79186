import { channelStatus, optionApi, tokenApi, tokenStatus } from '@headgate/contract';
import { completion, reply, stream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(options: Parameters<typeof relayFixture>[1]): Promise<Scene> {
  const scene = await relayFixture(app, options);
  scenes.push(scene);
  return scene;
}

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ parts: [{ text: 'hi' }] }];
const anthropic = { type: 'error', error: { type: expect.any(String), message: expect.any(String) } };
const openai = { error: { message: expect.any(String), type: expect.any(String) } };
const google = (code: number) => ({ error: { code, message: expect.any(String), status: expect.any(String) } });

const endpoints = [
  ['/v1/messages', { model: 'gpt-4o', max_tokens: 5, messages }, () => anthropic],
  ['/v1/messages/count_tokens', { model: 'gpt-4o', messages }, () => anthropic],
  ['/v1/responses', { model: 'gpt-4o', input: 'hi' }, () => openai],
  ['/v1beta/models/gpt-4o:generateContent', { contents }, google],
  ['/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents }, google],
  ['/v1beta/models/gpt-4o:countTokens', { contents }, google],
  ['/v1beta/models/gpt-4o:embedContent', { content: contents[0] }, google],
] as const;

/** How clients of each dialect send their key. */
const ways: readonly ((key: string) => Readonly<Record<string, string>>)[] = [
  (key) => ({ authorization: `Bearer ${key}` }),
  (key) => ({ 'x-api-key': key }),
  (key) => ({ 'x-goog-api-key': key }),
];

describe.each(endpoints)('%s', (path, body, errorOf) => {
  const requestBy = (key: string, way: (typeof ways)[number]) =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { ...way(key), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('[A15.8] ordinary users cannot pin a channel, regardless of the header that contains the key', async () => {
    const scene = await sceneOf({ upstreams: [reply({})] });
    for (const way of ways) {
      const response = await requestBy(`sk-${scene.token.key}-1`, way);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject(errorOf(403));
    }
    expect(scene.upstreams[0]?.received).toEqual([]);
  });

  test('[A15.8] rejects a disabled or expired token', async () => {
    const scene = await sceneOf({ upstreams: [reply({})] });
    const { id, name } = scene.token;
    const fields = { id, name, unlimited_quota: true, remain_quota: 0 };
    for (const change of [{ status: tokenStatus.disabled }, { status: tokenStatus.enabled, expired_time: 1 }]) {
      await scene.client.send(tokenApi.update, { body: { ...fields, ...change } });
      for (const way of ways) {
        const response = await requestBy(`sk-${scene.token.key}`, way);
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject(errorOf(401));
      }
    }
    expect(scene.upstreams[0]?.received).toEqual([]);
  });

  test('[A24.14] handles ten thousand tools and then serves the next client', async () => {
    const scene = await sceneOf({ upstreams: [reply({ error: { message: 'too many' } }, 400)] });
    const names = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`);
    const tools = path.includes('v1beta')
      ? [{ functionDeclarations: names.map((name) => ({ name })) }]
      : names.map((name) => ({ type: path.includes('responses') ? 'function' : 'custom', name, input_schema: {} }));
    const response = await scene.post(path, { ...body, tools });
    expect([200, 400, 413], await response.text()).toContain(response.status);
    expect((await fetch(`${app.url}/api/status`)).status).toBe(200);
  });
});

describe('[A15.8] model lists of restricted tokens', () => {
  test.each([
    ['/v1/models', (list: unknown) => (list as { data: { id: string }[] }).data.map(({ id }) => id)],
    ['/v1beta/models', (list: unknown) => (list as { models: { name: string }[] }).models.map(({ name }) => name)],
  ])('%s lists only the models that the token may use', async (path, namesIn) => {
    const scene = await sceneOf({ upstreams: [reply({})], token: { models: 'gpt-4o,not-served' } });
    const get = (address: string) =>
      fetch(`${app.url}${address}`, { headers: { authorization: `Bearer sk-${scene.token.key}` } });
    const names = namesIn(await (await get(path)).json());
    expect(names.map((name) => name.replace('models/', ''))).toEqual(['gpt-4o']);
    for (const model of ['gpt-3.5-turbo', 'not-served', 'GPT-4o'])
      expect((await get(`${path}/${model}`)).status, model).toBe(404);
    expect((await get(`${path}/gpt-4o`)).status).toBe(200);
  });
});

describe('[A22.5] beta headers in the Anthropic dialect', () => {
  const ask = (scene: Scene, headers: object) =>
    scene.post('/v1/messages', endpoints[0][1], {
      headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json', ...headers },
    });
  const rejected = (status: number, type: string, message: string) =>
    reply({ type: 'error', error: { type, message } }, status);

  test.each([
    [401, 'authentication_error', 'OAuth authentication is currently not supported.'],
    [403, 'permission_error', 'This organization has no access to the beta.'],
    [404, 'not_found_error', 'model: gpt-4o with this beta'],
    [400, 'invalid_request_error', 'Unexpected value(s) `a` for the `anthropic-beta` header.'],
  ])("does not disable a channel that rejects a client's beta header with %i", async (status, type, message) => {
    await root.call(optionApi.update, { body: { key: 'AutomaticDisableChannelEnabled', value: 'true' } });
    const scene = await sceneOf({ upstreams: [rejected(status, type, message)], channel: { type: 14 } });
    for (let times = 0; times < 4; times += 1) expect((await ask(scene, { 'anthropic-beta': 'a' })).ok).toBe(false);
    const channels = app.database.selectFrom('channels').select('status').where('group', '=', scene.group);
    expect(await channels.execute()).toEqual([{ status: channelStatus.enabled }]);
  });
});

describe('[A24.3] counting the tokens of twenty megabytes', () => {
  test.each(endpoints.filter(([path]) => /count/i.test(path)))(
    '%s does not block other requests',
    async (path, body) => {
      const scene = await sceneOf({ upstreams: [stream([])] });
      const text = 'word '.repeat(4_000_000);
      const long =
        'messages' in body
          ? { ...body, messages: [{ role: 'user', content: text }] }
          : { contents: [{ parts: [{ text }] }] };
      const counting = scene.post(path, long);
      const [status, counted] = await Promise.all([fetch(`${app.url}/api/status`), counting]);
      expect(status.status).toBe(200);
      expect([200, 413]).toContain(counted.status);
      await counted.text();
    },
  );
});

test('[A27.5] twenty concurrent free token counts do not block the tokenizer for other requests', async () => {
  const greedy = await sceneOf({ upstreams: [reply({})] });
  const text = 'word '.repeat(40_000);
  const counting = Array.from({ length: 20 }, () =>
    greedy.post('/v1/messages/count_tokens', { model: 'gpt-4o', messages: [{ role: 'user', content: text }] }),
  );
  await counting[0];
  // Enough points for the tokens of this prompt, but not for an estimate by size.
  const poor = await sceneOf({ quota: 2000, upstreams: [completion()] });
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(40);
  const response = await poor.chat({ max_tokens: 5, messages: [{ role: 'user', content }] });
  expect(response.status).toBe(200);
  for (const counted of await Promise.all(counting)) {
    const { input_tokens } = (await counted.json()) as { input_tokens: number };
    expect(input_tokens).toBeGreaterThan(39_000);
    expect(input_tokens).toBeLessThan(41_000);
  }
});
