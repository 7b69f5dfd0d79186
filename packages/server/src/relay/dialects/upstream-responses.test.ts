import { channelApi, channelStatus, optionApi, role, tokenApi } from '@headgate/contract';
import { type ReceivedRequest, reply, type StubUpstream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { storingUpstream, upstreamResponseFixtures } from '../../testing/relay/upstream-response-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { UpstreamResponseRepository } from '../upstream-responses/upstream-response-repository.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });
const scenes = upstreamResponseFixtures(app);
afterAll(() => scenes.close());
const sceneOf = scenes.open;

const bodiesOf = (upstream: StubUpstream | undefined) =>
  (upstream?.received ?? []).map(({ body }: ReceivedRequest) => body);

const notFound = (id: string) => ({
  status: 404,
  body: {
    error: {
      message: expect.stringMatching(`^Response with id '${id}' not found\\.`),
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
  },
});

const noPrevious = (id: string) => ({
  status: 400,
  body: {
    error: {
      message: expect.stringMatching(`^Previous response with id '${id}' not found\\.`),
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    },
  },
});

test('continues from a response on the channel that stores it, even if another channel has priority', async () => {
  const scene = await sceneOf();
  const { body: whole } = await scene.ask();
  const channels = await scene.admin.call(channelApi.list, { query: { p: 0, size: 100 } });
  const second = channels.find(({ name }) => name === `${scene.group}-1`);
  await scene.admin.call(channelApi.update, { body: { id: second?.id ?? 0, priority: 9 } });
  const next = await scene.ask({ previous_response_id: whole.id });
  expect(next.status).toBe(200);
  expect(bodiesOf(scene.first)).toMatchObject([{}, { previous_response_id: whole.id }]);
  expect(bodiesOf(scene.second)).toEqual([]);
  expect((await scene.books()).logs).toHaveLength(2);
});

test('continues from a streamed response', async () => {
  const scene = await sceneOf();
  const text = await (await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true })).text();
  const [id = ''] = /resp_\d+/.exec(text) ?? [];
  expect((await scene.ask({ previous_response_id: id })).status).toBe(200);
  expect(bodiesOf(scene.first)[1]).toMatchObject({ previous_response_id: id });
});

test('reads, cancels, lists and deletes a response on the channel that stores it, free of charge', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask()).body;
  const spent = (await scene.books()).user.used_quota;
  const query = '?include[]=message.input_image.image_url&limit=2&key=secret';
  const passed = '?include%5B%5D=message.input_image.image_url&limit=2';
  const calls = [
    ['GET', `${id}${query}`, `GET /v1/responses/${id}${passed}`],
    ['POST', `${id}/cancel`, `POST /v1/responses/${id}/cancel`],
    ['GET', `${id}/input_items?after=a&order=asc`, `GET /v1/responses/${id}/input_items?after=a&order=asc`],
    ['DELETE', id, `DELETE /v1/responses/${id}`],
  ] as const;
  for (const [method, path, called] of calls) {
    expect(await scene.call(method, path)).toEqual({ status: 200, body: { called } });
    expect(scene.first?.received.at(-1)?.headers.authorization).toBe('Bearer upstream-key-123456');
  }
  expect(await scene.call('GET', id)).toEqual(notFound(id));
  expect(scene.first?.received).toHaveLength(5);
  expect(scene.second?.received).toHaveLength(0);
  const { user, drift } = await scene.books();
  expect(user.used_quota).toBe(spent);
  expect(drift).toBe(0);
});

test("[A14.2] returns 404 for another user's response on every endpoint", async () => {
  const [mine, other] = [await sceneOf(), await sceneOf()];
  const { id } = (await mine.ask()).body;
  const { key } = other.token;
  for (const [method, path] of [
    ['GET', id],
    ['POST', `${id}/cancel`],
    ['GET', `${id}/input_items`],
    ['DELETE', id],
  ] as const)
    expect(await mine.call(method, path, key)).toEqual(notFound(id));
  expect(await other.ask({ previous_response_id: id })).toEqual(noPrevious(id));
  expect([...(other.first?.received ?? []), ...(other.second?.received ?? [])]).toEqual([]);
  expect((await mine.call('GET', id)).status).toBe(200);
});

test('does not continue from a response with store: false, and stores responses locally if the upstream does not', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask({ store: false })).body;
  expect(await scene.ask({ previous_response_id: id })).toEqual(noPrevious(id));
  expect(await scene.call('GET', id)).toEqual(notFound(id));
  const router = await sceneOf({ type: 20 });
  const stored = (await router.ask()).body.id;
  expect((await router.ask({ previous_response_id: stored })).status).toBe(200);
  expect(router.first?.received.at(-1)?.body).toMatchObject({ input: { length: 3 } });
  expect(router.first?.received.at(-1)?.body).not.toHaveProperty('previous_response_id');
});

test('[A5.4] reserves the tokens of the previous response', async () => {
  const scene = await sceneOf({ quota: 400_000, usage: { input_tokens: 90_000, output_tokens: 10_000 } });
  const { id } = (await scene.ask({ max_output_tokens: 10_000 })).body;
  expect((await scene.books()).user).toMatchObject({ quota: 75_000, used_quota: 325_000 });
  if (scene.first) scene.first.handler = storingUpstream({ input_tokens: 10, output_tokens: 5 });
  const brief = { max_output_tokens: 10 };
  expect((await scene.ask(brief)).status).toBe(200);
  expect((await scene.ask({ ...brief, previous_response_id: id })).status).toBe(402);
  expect(scene.first?.received).toHaveLength(2);
});

test('returns an error instead of using another channel if the channel that stores the response fails', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask()).body;
  if (scene.first) scene.first.handler = reply({ error: { message: 'no room' } }, 500);
  const failed = await scene.ask({ previous_response_id: id });
  expect(failed).toMatchObject({
    status: 500,
    body: { error: { message: expect.stringContaining(`no room (no other channel can continue ${id})`) } },
  });
  expect(scene.second?.received).toEqual([]);
});

test('the error names the disabled channel that stores the response', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask()).body;
  const channels = await scene.admin.call(channelApi.list, { query: { p: 0, size: 100 } });
  const first = channels.find(({ name }) => name === `${scene.group}-0`);
  await scene.admin.call(channelApi.update, { body: { id: first?.id ?? 0, status: channelStatus.disabled } });
  for (const missed of [await scene.ask({ previous_response_id: id }), await scene.call('GET', id)]) {
    expect(missed).toMatchObject({ status: 503, body: { error: { code: 'no_channel' } } });
    expect(JSON.stringify(missed.body)).toContain(id);
  }
  expect(scene.second?.received).toEqual([]);
});

test('rejects background and streaming reads of stored responses and names the parameter', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask()).body;
  expect(await scene.ask({ background: true })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('background is not supported') } },
  });
  expect(await scene.call('GET', `${id}?stream=true`)).toMatchObject({
    status: 400,
    body: { error: { param: 'stream' } },
  });
  expect(scene.first?.received).toHaveLength(1);
});

test('sends an unknown response id when an admin allows it', async () => {
  const scene = await sceneOf();
  const root = await app.as('root');
  const allow = (value: string) => root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value } });
  await allow('previous_response_id');
  expect((await scene.ask({ previous_response_id: 'resp_elsewhere' })).status).toBe(200);
  await allow('');
  expect(await scene.ask({ previous_response_id: 'resp_elsewhere' })).toEqual(noPrevious('resp_elsewhere'));
});

test('returns 404 for expired responses and deletes them when new ones are stored', async () => {
  const scene = await sceneOf();
  const { id } = (await scene.ask()).body;
  const { user } = await scene.books();
  await app.database.updateTable('kept_responses').set({ expires_time: 1 }).where('user_id', '=', user.id).execute();
  expect(await scene.ask({ previous_response_id: id })).toEqual(noPrevious(id));
  const another = {
    user: user.id,
    id: 'resp_new',
    channel: 1,
    key: 0,
    tokens: 1,
    attachedTokens: 0,
    items: [],
    itemTokens: 0,
  };
  await new UpstreamResponseRepository(app.database).add([another]);
  const left = app.database.selectFrom('kept_responses').select('response_id').where('user_id', '=', user.id);
  expect(await left.execute()).toEqual([{ response_id: 'resp_new' }]);
});

const channelsOf = async (scene: Awaited<ReturnType<typeof sceneOf>>) => {
  const channels = await scene.admin.call(channelApi.list, { query: { p: 0, size: 100 } });
  return [0, 1].map((index) => channels.find(({ name }) => name === `${scene.group}-${index}`)?.id ?? 0);
};

test('[A15.1] serves an admin with a pinned channel, including stored responses, only from that channel', async () => {
  const scene = await sceneOf();
  const [first, second] = await channelsOf(scene);
  const admin = await app.createUser({ role: role.admin, group: scene.group, quota: 100_000_000 });
  const client = await app.signedIn(admin.username, admin.password);
  const { key } = await client.call(tokenApi.create, { body: { name: 'pinned', unlimited_quota: true } });
  const post = async (pinned: string, body: object) => {
    const headers = { authorization: `Bearer sk-${pinned}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ model: 'gpt-4o', input: 'hi', ...body }) };
    return (await (await fetch(`${app.url}/v1/responses`, request)).json()) as { id: string };
  };
  const { id } = await post(`${key}-${second}`, {});
  const calls = [
    ['GET', id],
    ['POST', `${id}/cancel`],
    ['GET', `${id}/input_items`],
    ['DELETE', id],
  ] as const;
  for (const [method, path] of calls)
    expect(await scene.call(method, path, `${key}-${first}`)).toMatchObject({
      status: 503,
      body: { error: { code: 'no_channel' } },
    });
  expect([scene.first?.received.length, scene.second?.received.length]).toEqual([0, 1]);
  for (const [method, path] of calls) expect((await scene.call(method, path, `${key}-${second}`)).status).toBe(200);
});

test('[A14.2] keeps an id with the channel that issued it first when a second channel issues it too', async () => {
  const scene = await sceneOf();
  const message = { type: 'message', id: 'msg_same', content: [{ type: 'output_text', text: 'Hello' }] };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const response = reply({ id: 'resp_same', status: 'completed', output: [message], usage });
  for (const upstream of [scene.first, scene.second]) if (upstream) upstream.handler = response;
  await scene.ask();
  const [, second = 0] = await channelsOf(scene);
  await scene.admin.call(channelApi.update, { body: { id: second, priority: 9 } });
  await scene.ask();
  expect([scene.first?.received.length, scene.second?.received.length]).toEqual([1, 1]);
  expect((await scene.ask({ previous_response_id: 'resp_same' })).status).toBe(200);
  expect((await scene.ask({ input: [{ type: 'item_reference', id: 'msg_same' }] })).status).toBe(200);
  expect([scene.first?.received.length, scene.second?.received.length]).toEqual([3, 1]);
});

const long = '7 '.repeat(50_000);

test.each([
  ['auto', 300_000, 402],
  ['disabled', 300_000, 200],
  // Never reserves more than the model's context window.
  ['auto', 325_000, 200],
])(
  '[A5.4] reserves all stored tokens with truncation %s: with %i points left, returns %i',
  async (truncation, quota, status) => {
    const scene = await sceneOf({ quota });
    const { id } = (await scene.ask({ truncation, input: long, max_output_tokens: 16 })).body;
    expect((await scene.books()).user.used_quota).toBe(75);
    expect((await scene.ask({ previous_response_id: id, max_output_tokens: 16 })).status).toBe(status);
  },
);

test('[A5.4] keeps counting tokens that truncation may have dropped in all later responses', async () => {
  const scene = await sceneOf({ quota: 400_000 });
  const cut = { truncation: 'auto', max_output_tokens: 16 };
  const { id } = (await scene.ask({ ...cut, input: long })).body;
  const next = (await scene.ask({ ...cut, previous_response_id: id })).body;
  const { user } = await scene.books();
  const rows = app.database.selectFrom('kept_responses').select('tokens').where('user_id', '=', user.id);
  const kept = await rows.where('response_id', '=', next.id).executeTakeFirstOrThrow();
  expect(kept.tokens).toBeGreaterThan(100_000);
});
