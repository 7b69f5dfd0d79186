import { tokenApi } from '@headgate/contract';
import {
  chatResponse,
  completion,
  plainPrice,
  reply,
  stream,
  textChunk,
  type UpstreamHandler,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, type RelayFixtureOptions, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const allowed = { UnpricedFieldsAllowed: 'web_search_options,tools' };
const app = await useTestApp({ options: { UserConcurrencyLimit: '3', TokenConcurrencyLimit: '2', ...allowed } });
const roomy = await useTestApp({ options: { UserConcurrencyLimit: '0', TokenConcurrencyLimit: '0' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(
  upstream: UpstreamHandler,
  options: Pick<RelayFixtureOptions, 'quota' | 'token'> & { at?: typeof app } = {},
): Promise<Scene> {
  const { at = app, ...rest } = options;
  const scene = await relayFixture(at, { upstreams: [upstream], ...rest });
  scenes.push(scene);
  return scene;
}

/** Upstream that does not respond until opened. */
function gate(respond: UpstreamHandler = completion()): { respond: UpstreamHandler; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    respond: async (response, request) => {
      await opened.promise;
      await respond(response, request);
    },
    open: opened.resolve,
  };
}

const sent = (scene: Scene) => scene.upstreams[0]?.received.length ?? 0;

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string; code: string } }).error;

describe('[A1.5] user and token concurrency limits', () => {
  test('rejects a request above the limit with the reason, and admits requests again once one ends', async () => {
    const { respond, open } = gate();
    const scene = await sceneOf(respond);
    const other = await scene.client.call(tokenApi.create, { body: { name: 'other', unlimited_quota: true } });
    const withOther = { headers: { authorization: `Bearer sk-${other.key}`, 'content-type': 'application/json' } };
    const running = [scene.chat({ max_tokens: 5 }), scene.chat({ max_tokens: 5 })];
    await expect.poll(() => sent(scene)).toBe(2);
    const byToken = await scene.chat();
    expect(byToken.status).toBe(429);
    expect(byToken.headers.get('retry-after')).toBe('5');
    expect(await errorOf(byToken)).toMatchObject({
      code: 'too_many_requests_under_way',
      message: expect.stringContaining('in-flight requests for this token'),
    });
    running.push(scene.chat({ max_tokens: 5 }, withOther));
    await expect.poll(() => sent(scene)).toBe(3);
    const byUser = await scene.chat({}, withOther);
    expect(byUser.status).toBe(429);
    expect((await errorOf(byUser)).message).toContain('in-flight requests for your account');
    open();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await scene.chat()).status).toBe(200);
    expect((await scene.books()).user.used_quota).toBe(4 * plainPrice);
  });

  /** Ways to end a request. Each is repeated more often than the limit allows. */
  const ways: readonly [name: string, upstream: UpstreamHandler, ask: (scene: Scene) => Promise<unknown>][] = [
    ['a whole response', completion(), (scene) => scene.chat()],
    ['an invalid body', completion(), (scene) => scene.post('/v1/chat/completions', '{')],
    ['an invalid form', completion(), (scene) => scene.post('/v1/audio/transcriptions', '{')],
    ['insufficient quota', completion(), (scene) => scene.chat({ max_tokens: 1_000_000 })],
    ['no available channel', completion(), (scene) => scene.chat({ model: 'nobody-serves-this' })],
    ['an upstream error', reply({ error: { message: 'down' } }, 500), (scene) => scene.chat()],
    [
      'an upstream disconnect',
      stream([textChunk('Hel')], 'cut'),
      (scene) => scene.chat({ stream: true }).then((r) => r.text()),
    ],
    ['a client disconnect', stream([textChunk('Hel')], 'stall'), leave],
  ];

  async function leave(scene: Scene): Promise<void> {
    const gone = new AbortController();
    const response = await scene.chat({ stream: true }, { signal: gone.signal });
    await response.body?.getReader().read();
    gone.abort();
    await expect.poll(async () => (await scene.books()).logs.length).toBe(sent(scene));
  }

  test.each(ways)('frees the slot of a request after %s', async (_, upstream, ask) => {
    const scene = await sceneOf(upstream);
    for (let round = 0; round < 4; round += 1) await ask(scene);
    const { respond, open } = gate();
    const [stub] = scene.upstreams;
    const before = sent(scene);
    if (stub) stub.handler = respond;
    const running = [scene.chat({ max_tokens: 1 }), scene.chat({ max_tokens: 1 })];
    await expect.poll(() => sent(scene)).toBe(before + 2);
    open();
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
  });

  test('counts requests on the proxy route, regardless of how they end', async () => {
    const { respond, open } = gate();
    const scene = await sceneOf(respond);
    const [stub] = scene.upstreams;
    await createChannel(scene.admin, scene.group, stub?.url ?? '', { type: 43, key: 'Basic theirs', models: '' });
    const { id } = await app.database
      .selectFrom('channels')
      .select('id')
      .where('type', '=', 43)
      .where('group', '=', scene.group)
      .executeTakeFirstOrThrow();
    const proxied = () => scene.post(`/v1/proxy/${id}/x`, '{}');
    const running = [proxied(), scene.chat({ max_tokens: 5 })];
    await expect.poll(() => sent(scene)).toBe(2);
    const rejected = await proxied();
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await errorOf(rejected)).code).toBe('too_many_requests_under_way');
    expect((await scene.chat()).status).toBe(429);
    open();
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    if (stub) stub.handler = ({ socket }) => void socket?.destroy();
    for (let round = 0; round < 4; round += 1) {
      expect((await proxied()).status).toBe(502);
      expect((await scene.post('/v1/proxy/999999/x', '{}')).status).toBe(404);
    }
    if (stub) stub.handler = completion();
    expect((await proxied()).status).toBe(200);
  });

  test('treats 0 as no limit', async () => {
    const { respond, open } = gate();
    const scene = await sceneOf(respond, { at: roomy, quota: 1_000_000_000 });
    const running = Array.from({ length: 150 }, () => scene.chat({ max_tokens: 1 }));
    await expect.poll(() => sent(scene)).toBe(150);
    open();
    expect(new Set((await Promise.all(running)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('[A1.4] requests without a token limit', () => {
  const thinking = reply({ ...chatResponse(), usage: { prompt_tokens: 8, completion_tokens: 2000 } });
  const cost = (8 + 2000 * 4) * 2.5;

  test.each([
    ['the user', {}],
    ['the token', { token: { unlimited_quota: false, remain_quota: 10_000 } }],
  ])('reserves the balance of %s in full if the request may need it', async (whose, options) => {
    const { respond, open } = gate(thinking);
    const quota = whose === 'the user' ? 10_000 : 1_000_000_000;
    const scene = await sceneOf(respond, { at: roomy, quota, ...options });
    const pending = Array.from({ length: 40 }, () => scene.chat());
    const first = pending.map((promise) => promise.then(({ status }) => status));
    await expect.poll(() => sent(scene)).toBe(1);
    const concurrent = await scene.chat({ max_tokens: 1 });
    expect(concurrent.status).toBe(429);
    expect((await errorOf(concurrent)).code).toBe('quota_held');
    const rejected = await scene.chat();
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBe('5');
    expect((await errorOf(rejected)).message).toContain('Set max_tokens, or retry');
    open();
    const statuses = await Promise.all(first);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([cost, 0]);
  });

  test('refunds the unused part of the reservation', async () => {
    const scene = await sceneOf(completion(), { quota: 10_000 });
    for (let round = 0; round < 5; round += 1) expect((await scene.chat()).status).toBe(200);
    expect((await scene.chat({ max_tokens: 800 })).status).toBe(200);
  });

  test('does not block other requests if the balance covers the longest responses', async () => {
    const { respond, open } = gate();
    const scene = await sceneOf(respond, { at: roomy, quota: 100_000_000 });
    const running = Array.from({ length: 40 }, () => scene.chat());
    await expect.poll(() => sent(scene)).toBe(40);
    open();
    expect(new Set((await Promise.all(running)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('returns 402 if the balance is too small even for this request alone', async () => {
    const scene = await sceneOf(completion(), { quota: 100 });
    const response = await scene.chat();
    expect(response.status).toBe(402);
    expect(await errorOf(response)).toMatchObject({ code: 'insufficient_user_quota' });
  });

  test.each([
    ['a limit of zero', { max_tokens: 0 }],
    ['a limit in a nonstandard field', { max_output_tokens: 5 }],
    ['a provider web search, which lengthens the prompt', { max_tokens: 5, web_search_options: {} }],
    ['a tool run by the provider', { max_tokens: 5, tools: [{ type: 'web_search' }] }],
  ])('treats a request with %s as having no token limit', async (_, body) => {
    const { respond, open } = gate();
    const scene = await sceneOf(respond, { quota: 10_000 });
    const running = scene.chat(body);
    await expect.poll(() => sent(scene)).toBe(1);
    expect((await scene.chat({ max_tokens: 1 })).status).toBe(429);
    open();
    expect((await running).status).toBe(200);
  });
});

test('[A1.2] admits only as many of 100 concurrent requests as the token quota covers, and leaves nothing reserved', async () => {
  const { respond, open } = gate();
  const held = (10 + 10 * 4) * 2.5;
  const token = { unlimited_quota: false, remain_quota: held * 10 };
  const scene = await sceneOf(respond, { at: roomy, quota: 1_000_000, token });
  let rejected = 0;
  const pending = Array.from({ length: 100 }, async () => {
    const { status } = await scene.chat({ max_tokens: 10 });
    if (status !== 200) rejected += 1;
    return status;
  });
  await expect.poll(() => sent(scene) + rejected).toBe(100);
  expect(sent(scene)).toBe(10);
  open();
  expect((await Promise.all(pending)).filter((status) => status === 200)).toHaveLength(10);
  const books = await scene.books();
  expect(books.user).toMatchObject({ used_quota: 10 * plainPrice, quota: 1_000_000 - 10 * plainPrice });
  expect(books.token).toMatchObject({ remain_quota: held * 10 - 10 * plainPrice });
  const whole = await scene.client.call(tokenApi.create, { body: { name: 'all', unlimited_quota: true } });
  const headers = { authorization: `Bearer sk-${whole.key}`, 'content-type': 'application/json' };
  const all = Math.floor((books.user.quota / 2.5 - 20) / 4);
  expect((await scene.chat({ max_tokens: all }, { headers })).status).toBe(200);
});
