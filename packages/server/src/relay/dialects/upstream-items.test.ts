import { createOpenAI } from '@ai-sdk/openai';
import { channelApi, optionApi } from '@headgate/contract';
import type { StubUpstream } from '@headgate/testkit';
import { generateText, type ModelMessage, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { storingUpstream, upstreamResponseFixtures } from '../../testing/relay/upstream-response-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { UpstreamResponseRepository } from '../upstream-responses/upstream-response-repository.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });
const scenes = upstreamResponseFixtures(app);
afterAll(() => scenes.close());
const root = await app.as('root');
const allow = (value: string) => root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value } });
afterEach(() => allow(''));

type Scene = Awaited<ReturnType<typeof scenes.open>>;

/** A reasoning item before each message, as returned by reasoning models. */
const thinking = { more: (number: number) => [{ id: `rs_${number}`, type: 'reasoning', summary: [] }] };
const item = (id: string) => ({ type: 'item_reference', id });
const say = { role: 'user', content: 'go on' };
const inputOf = (upstream: StubUpstream | undefined) => upstream?.received.at(-1)?.body['input'];

/** Creates a stored response and returns the number that it shares with its items. */
async function made(scene: Scene, body: object = {}): Promise<string> {
  const { id } = (await scene.ask(body)).body;
  return id.replace('resp_', '');
}

const notFound = (id: string) => ({
  status: 404,
  body: {
    error: {
      message: expect.stringMatching(`^Item with id '${id}' not found\\.`),
      type: 'invalid_request_error',
      param: 'input',
      code: null,
    },
  },
});

/** Every way in which an input can refer to an item stored upstream. */
const spellings: readonly (readonly [string, (id: string) => object])[] = [
  ['a reference', item],
  ['an id alone', (id) => ({ id })],
  ['an id with non-message fields', (id) => ({ id, content: 'x', type: null, role: null })],
  ['a message without text', (id) => ({ type: 'message', role: 'assistant', id, content: [] })],
  ['an image without content', (id) => ({ type: 'image_generation_call', id, result: null, revised_prompt: 'x' })],
  ['an empty search call', (id) => ({ type: 'web_search_call', id, status: 'completed' })],
  ['an approval', (id) => ({ type: 'mcp_approval_response', approval_request_id: id, approve: true })],
  ['an unknown type', (id) => ({ type: 'Item_Reference', id })],
];

test('rejects input that is neither text nor a list', async () => {
  const scene = await scenes.open();
  expect(await scene.ask({ input: item('msg_1') })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('input must be text or a list') } },
  });
});

describe('[A14.3] items of stored responses', () => {
  test.each(spellings)('returns 404 for an item of another user without sending anything: %s', async (_, write) => {
    const [mine, other] = [await scenes.open(), await scenes.open()];
    const id = `msg_${await made(mine)}`;
    expect(await other.ask({ input: [write(id), say] })).toEqual(notFound(id));
    expect([...(other.first?.received ?? []), ...(other.second?.received ?? [])]).toEqual([]);
    expect((await mine.ask({ input: [write(id), say] })).status).toBe(200);
    expect(inputOf(mine.first)).toEqual([write(id), say]);
  });

  test.each([
    ['a bare request', (id: string) => ({ type: 'mcp_approval_request', id })],
    ['a reference with a whole request of its id', item],
  ])('does not expose an item of another user through an approval: %s', async (title, write) => {
    const [mine, other] = [await scenes.open(), await scenes.open()];
    const id = `msg_${await made(mine)}`;
    const approval = { type: 'mcp_approval_response', approval_request_id: id, approve: true };
    const whole = { type: 'mcp_approval_request', id, name: 'x', arguments: '{}', server_label: 's' };
    const input = title.includes('whole') ? [write(id), whole, approval, say] : [write(id), approval, say];
    expect(await other.ask({ input })).toEqual(notFound(id));
    expect([...(other.first?.received ?? []), ...(other.second?.received ?? [])]).toEqual([]);
  });

  test('does not compact an item of another user', async () => {
    const [mine, other] = [await scenes.open(), await scenes.open()];
    const id = `msg_${await made(mine)}`;
    const response = await other.post('/v1/responses/compact', { model: 'gpt-4o', input: [item(id)] });
    expect(response.status).toBe(404);
    await response.arrayBuffer();
    expect(other.first?.received).toEqual([]);
  });

  test('drops reasoning items of another user and serves the rest', async () => {
    const [mine, other] = [await scenes.open(thinking), await scenes.open(thinking)];
    const number = await made(mine);
    const thought = { type: 'reasoning', id: `rs_${number}`, summary: [] };
    expect((await other.ask({ input: [thought, say] })).status).toBe(200);
    expect(inputOf(other.first)).toEqual([say]);
    expect((await mine.ask({ input: [thought, say] })).status).toBe(200);
    expect(inputOf(mine.first)).toEqual([thought, say]);
  });

  test("does not look up another user's image if its content is included", async () => {
    const [mine, other] = [await scenes.open(), await scenes.open()];
    const image = { type: 'image_generation_call', id: `msg_${await made(mine)}`, result: 'aGk=' };
    expect((await other.ask({ input: [image, say] })).status).toBe(200);
    expect(inputOf(other.first)).toEqual([{ ...image, id: 'ig_sent_along' }, say]);
  });
});

test('reads an item on the channel that stores it, whole or streamed, even if another channel has priority', async () => {
  const scene = await scenes.open(thinking);
  const number = await made(scene);
  const text = await (await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true })).text();
  const [, streamed = ''] = /resp_(\d+)/.exec(text) ?? [];
  const channels = await scene.admin.call(channelApi.list, { query: { p: 0, size: 100 } });
  const second = channels.find(({ name }) => name === `${scene.group}-1`);
  await scene.admin.call(channelApi.update, { body: { id: second?.id ?? 0, priority: 9 } });
  const input = [item(`rs_${number}`), item(`msg_${number}`), item(`rs_${streamed}`), item(`msg_${streamed}`), say];
  expect((await scene.ask({ input })).status).toBe(200);
  expect(inputOf(scene.first)).toEqual(input);
  expect((await scene.ask({ input: [{ type: 'reasoning', id: `rs_${number}`, summary: [] }, say] })).status).toBe(200);
  expect(scene.first?.received).toHaveLength(4);
  expect(scene.second?.received).toEqual([]);
});

test('returns an error for items stored on different channels', async () => {
  const scene = await scenes.open();
  const one = `msg_${await made(scene)}`;
  const channels = await scene.admin.call(channelApi.list, { query: { p: 0, size: 100 } });
  const second = channels.find(({ name }) => name === `${scene.group}-1`);
  await scene.admin.call(channelApi.update, { body: { id: second?.id ?? 0, priority: 9 } });
  const other = `msg_${await made(scene)}`;
  const failed = await scene.ask({ input: [item(one), item(other), say] });
  expect(failed).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
  expect(JSON.stringify(failed.body)).toContain('stored by different channels');
  expect([scene.first?.received.length, scene.second?.received.length]).toEqual([1, 1]);
});

test('returns 404 for items of unstored, deleted or expired responses', async () => {
  const scene = await scenes.open();
  const unstored = `msg_${await made(scene, { store: false })}`;
  expect(await scene.ask({ input: [item(unstored)] })).toEqual(notFound(unstored));
  const number = await made(scene);
  await scene.call('DELETE', `resp_${number}`);
  expect(await scene.ask({ input: [item(`msg_${number}`)] })).toEqual(notFound(`msg_${number}`));
  const old = `msg_${await made(scene)}`;
  const { user } = await scene.books();
  for (const table of ['kept_responses', 'kept_items'] as const)
    await app.database.updateTable(table).set({ expires_time: 1 }).where('user_id', '=', user.id).execute();
  expect(await scene.ask({ input: [item(old)] })).toEqual(notFound(old));
  await new UpstreamResponseRepository(app.database).add([
    {
      user: user.id,
      id: 'resp_new',
      channel: 1,
      key: 0,
      tokens: 1,
      attachedTokens: 0,
      items: ['msg_new'],
      itemTokens: 1,
    },
  ]);
  const left = app.database.selectFrom('kept_items').select('item_id').where('user_id', '=', user.id);
  expect(await left.execute()).toEqual([{ item_id: 'msg_new' }]);
});

test('sends unknown items when an admin allows it', async () => {
  const scene = await scenes.open();
  await allow('item_reference');
  const input = [item('msg_elsewhere'), { type: 'reasoning', id: 'rs_elsewhere', summary: [] }, say];
  expect((await scene.ask({ input })).status).toBe(200);
  expect(inputOf(scene.first)).toEqual(input);
});

test.each([
  [85_000, 402],
  [95_000, 200],
])('[A5.4] reserves the tokens of referenced items once: with %i points left, returns %i', async (left, status) => {
  const usage = { input_tokens: 10, output_tokens: 24_000 };
  const scene = await scenes.open({ quota: left + 240_025, usage, ...thinking });
  const number = await made(scene, { max_output_tokens: 24_000 });
  expect((await scene.books()).user.quota).toBe(left);
  if (scene.first) scene.first.handler = storingUpstream();
  // 24,000 tokens plus 50 %, because other models may count more, at 2.5 points.
  const input = [item(`rs_${number}`), item(`msg_${number}`), say];
  expect((await scene.ask({ max_output_tokens: 10, input })).status).toBe(status);
  expect((await scene.ask({ max_output_tokens: 10, input: [say] })).status).toBe(200);
});

test('rejects too many items before any lookup', async () => {
  const scene = await scenes.open();
  const rejected = await scene.ask({ input: Array.from({ length: 2001 }, (_, index) => item(`msg_${index}`)) });
  expect(rejected).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
  expect(scene.first?.received).toEqual([]);
});

describe('stored responses with real clients', () => {
  test('openai continues a conversation with item references', async () => {
    const scene = await scenes.open(thinking);
    const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}`, maxRetries: 0 });
    const first = await client.responses.create({ model: 'gpt-4o', input: 'hi' });
    const input = [...first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }))];
    const next = await client.responses.create({
      model: 'gpt-4o',
      input: [...input, { role: 'user', content: 'more' }],
    });
    expect(next.output_text).toBe('Hello');
    const strange = client.responses.create({ model: 'gpt-4o', input: [{ type: 'item_reference', id: 'msg_x' }] });
    await expect(strange).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test.each(['generateText', 'streamText'])(
    'ai continues a conversation from stored responses for three turns with %s',
    async (way) => {
      const scene = await scenes.open(thinking);
      const openai = createOpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}` });
      const messages: ModelMessage[] = [];
      const options = {
        model: openai.responses('gpt-4o'),
        maxRetries: 0,
        providerOptions: { openai: { store: true } },
      };
      for (const content of ['one', 'two', 'three']) {
        messages.push({ role: 'user', content });
        const sent =
          way === 'generateText' ? await generateText({ ...options, messages }) : streamText({ ...options, messages });
        expect(await sent.text).toBe('Hello');
        messages.push(...(await sent.response).messages);
      }
      const input = inputOf(scene.first) as { type?: string }[];
      expect(input.filter(({ type }) => type === 'item_reference').length).toBeGreaterThanOrEqual(2);
      expect(scene.first?.received).toHaveLength(3);
      expect((await scene.books()).drift).toBe(0);
    },
  );
});
