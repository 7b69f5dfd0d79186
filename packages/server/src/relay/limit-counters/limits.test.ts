import { type Input, limitRuleApi } from '@headgate/contract';
import { completion, reply, StubUpstream, stream, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '3' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
type Rule = Input<typeof limitRuleApi.create>['body'];

const make = (scene: Scene, rule: Rule) => scene.admin.call(limitRuleApi.create, { body: rule });

const statuses = async (count: number, send: () => Promise<Response>) => {
  const all: number[] = [];
  for (let turn = 0; turn < count; turn += 1) all.push((await send()).status);
  return all;
};

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string; type: string; code: string } }).error;

describe('[A38.1] requests per minute', () => {
  test('counts requests of all users of a group for a model, and rejects with the reason', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await make(scene, { group: scene.group, model: 'gpt-4*', measure: 'requests_per_minute', amount: 3 });
    expect(await statuses(3, scene.chat)).toEqual([200, 200, 200]);
    const rejected = await scene.chat();
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(await errorOf(rejected)).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        new RegExp(
          `^The limit of 3 requests per minute of group ${scene.group} on gpt-4\\* is used up; try again in \\d+ seconds `,
        ),
      ),
    });
    // The limit does not apply to other models.
    expect((await scene.chat({ model: 'gpt-3.5-turbo' })).status).toBe(200);
    expect(scene.upstreams[0]?.received).toHaveLength(4);
    // The console shows rejected requests.
    await scene.admin.call(limitRuleApi.list, { query: {} });
    const { logs, user, drift } = await scene.books();
    expect(logs.filter(({ type }) => type === 5)).toMatchObject([{ reason: 'too_many', status: 429, quota: 0 }]);
    expect([drift, user.quota + user.used_quota]).toEqual([0, 1_000_000]);
    await scene.close();
  });

  test('counts each user separately', async () => {
    const one = await relayFixture(app, { upstreams: [completion()] });
    const other = await relayFixture(app, { upstreams: [completion()] });
    for (const { group } of [one, other]) {
      await make(one, { group, measure: 'requests_per_minute', amount: 2, counts_per: 'user' });
    }
    expect(await statuses(3, one.chat)).toEqual([200, 200, 429]);
    expect(await statuses(3, other.chat)).toEqual([200, 200, 429]);
    await Promise.all([one.close(), other.close()]);
  });

  test('applies the strictest of several limits, and counts a rejected request towards none', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const wide = await make(scene, { user_id: scene.user.id, measure: 'requests_per_minute', amount: 5 });
    const strict = await make(scene, { token_id: scene.token.id, measure: 'requests_per_minute', amount: 2 });
    expect(await statuses(6, scene.chat)).toEqual([200, 200, 429, 429, 429, 429]);
    expect((await scene.admin.call(limitRuleApi.get, { params: { id: wide.id } })).used).toBe(2);
    await scene.admin.call(limitRuleApi.remove, { params: { id: strict.id } });
    expect(await statuses(4, scene.chat)).toEqual([200, 200, 200, 429]);
    await scene.close();
  });

  test('admits exactly as many concurrent requests as the limit allows', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await make(scene, { user_id: scene.user.id, measure: 'requests_per_minute', amount: 40 });
    const responses = await Promise.all(Array.from({ length: 100 }, () => scene.chat({ max_tokens: 10 })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(60);
    expect(scene.upstreams[0]?.received).toHaveLength(40);
    await scene.close();
  });

  test('ignores a disabled rule and applies a changed one immediately', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const { id } = await make(scene, { user_id: scene.user.id, measure: 'requests_per_minute', amount: 1 });
    expect(await statuses(2, scene.chat)).toEqual([200, 429]);
    await scene.admin.call(limitRuleApi.update, { body: { id, enabled: false } });
    expect(await statuses(2, scene.chat)).toEqual([200, 200]);
    await scene.admin.call(limitRuleApi.update, { body: { id, enabled: true, amount: 2 } });
    expect(await statuses(2, scene.chat)).toEqual([200, 429]);
    await scene.close();
  });
});

test('[A38.1] counts proxied requests for the caller and the channel', async () => {
  const upstream = await StubUpstream.start((response) => void response.end('hello'));
  const scene = await relayFixture(app);
  await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: 'Basic secret', models: '' });
  const channel = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  const call = () => scene.post(`/v1/proxy/${channel.id}/anything`, {});
  const { id } = await make(scene, { user_id: scene.user.id, measure: 'requests_per_minute', amount: 2 });
  expect(await statuses(3, call)).toEqual([200, 200, 429]);
  await scene.admin.call(limitRuleApi.remove, { params: { id } });
  await make(scene, { channel_id: channel.id, measure: 'requests_per_minute', amount: 1 });
  expect(await statuses(2, call)).toEqual([200, 429]);
  expect(upstream.received).toHaveLength(3);
  expect((await scene.books()).drift).toBe(0);
  await Promise.all([scene.close(), upstream.close()]);
});

describe('[A38.2] tokens', () => {
  const rule = (scene: Scene, amount: number): Rule => ({
    user_id: scene.user.id,
    measure: 'tokens_per_minute',
    amount,
  });

  test('reserves the maximum and counts the actual usage at the end', async () => {
    const gate = Promise.withResolvers<void>();
    const respond: UpstreamHandler = async (response, request) => {
      await gate.promise;
      await completion()(response, request);
    };
    const scene = await relayFixture(app, { upstreams: [respond] });
    const { id } = await make(scene, rule(scene, 1000));
    const first = scene.chat({ max_tokens: 900 });
    await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
    expect((await scene.chat({ max_tokens: 900 })).status).toBe(429);
    gate.resolve();
    expect((await first).status).toBe(200);
    const { used } = await scene.admin.call(limitRuleApi.get, { params: { id } });
    const { logs } = await scene.books();
    expect(used).toBe((logs[0]?.prompt_tokens ?? 0) + (logs[0]?.completion_tokens ?? 0));
    expect((await scene.chat({ max_tokens: 900 })).status).toBe(200);
    await scene.close();
  });

  test('rejects a request that alone exceeds the limit, with the reason', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await make(scene, rule(scene, 100));
    const rejected = await scene.chat({ max_tokens: 5000 });
    expect(rejected.status).toBe(429);
    expect((await errorOf(rejected)).message).toMatch(/^This request may use 5\d\d\d tokens, which is more than/);
    expect((await scene.chat({ max_tokens: 50 })).status).toBe(200);
    await scene.close();
  });

  test.each<[string, UpstreamHandler]>([
    ['fails', reply({ error: { message: 'no' } }, 500)],
    ['disconnects', stream([])],
  ])('counts no tokens for an upstream that %s', async (_, respond) => {
    const scene = await relayFixture(app, { upstreams: [respond] });
    const { id } = await make(scene, rule(scene, 1000));
    for (let turn = 0; turn < 3; turn += 1) await (await scene.chat({ max_tokens: 900, stream: true })).text();
    expect((await scene.admin.call(limitRuleApi.get, { params: { id } })).used).toBe(0);
    await scene.close();
  });
});

describe('[A38.3] concurrent requests', () => {
  test('concurrent requests release their slot, regardless of how they end', async () => {
    const responses: (() => void)[] = [];
    const respond: UpstreamHandler = async (response, request) => {
      await new Promise<void>((resolve) => responses.push(resolve));
      await completion()(response, request);
    };
    const scene = await relayFixture(app, { upstreams: [respond] });
    const { id } = await make(scene, { group: scene.group, measure: 'requests_under_way', amount: 2 });
    const used = async () => (await scene.admin.call(limitRuleApi.get, { params: { id } })).used;
    const leaving = new AbortController();
    const left = scene.chat({ max_tokens: 10 }, { signal: leaving.signal }).catch(() => undefined);
    const stays = scene.chat({ max_tokens: 10 });
    await expect.poll(() => responses.length).toBe(2);
    const rejected = await scene.chat({ max_tokens: 10 });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5']);
    leaving.abort();
    await left;
    await expect.poll(used).toBe(1);
    for (const go of responses) go();
    expect((await stays).status).toBe(200);
    await expect.poll(used).toBe(0);
    await scene.close();
  });
});

test('[A38.4] rejects a request above the cost limit before anything is reserved or sent', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  await make(scene, { group: scene.group, measure: 'cost_per_request', amount: 5000 });
  const rejected = await scene.chat({ max_tokens: 100_000 });
  expect([rejected.status, (await errorOf(rejected)).message]).toEqual([
    429,
    expect.stringMatching(/^This request may cost \d+ points, which is more than the limit of 5000 points/),
  ]);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  expect(scene.upstreams[0]?.received).toHaveLength(1);
  await scene.close();
});

test('[A47.14] skips a channel if the request exceeds its cost limit, and rejects the request if no channel is left', async () => {
  const scene = await relayFixture(app, { upstreams: [completion(), completion()] });
  const rows = await app.database.selectFrom('channels').select('id').where('group', '=', scene.group).execute();
  const [first = 0, second = 0] = rows.map(({ id }) => id).sort((one, other) => one - other);
  const seen = () => scene.upstreams.map(({ received: calls }) => calls.length);
  await make(scene, { channel_id: first, measure: 'cost_per_request', amount: 5000 });
  expect((await scene.chat({ max_tokens: 1000 })).status).toBe(200);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  expect(seen()).toEqual([1, 1]);
  await make(scene, { channel_id: second, measure: 'cost_per_request', amount: 5000 });
  const rejected = await scene.chat({ max_tokens: 1000 });
  expect([rejected.status, (await errorOf(rejected)).message]).toEqual([
    429,
    expect.stringMatching(/^This request may cost \d+ points, which is more than the limit of 5000 points/),
  ]);
  expect(seen()).toEqual([1, 1]);
  await scene.close();
});

describe('rate limit headers', () => {
  test("rate limit headers use OpenAI's names, on responses and errors", async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await make(scene, { group: scene.group, measure: 'requests_per_minute', amount: 2 });
    await make(scene, { group: scene.group, measure: 'tokens_per_day', amount: 100_000 });
    const result = async () => {
      const { headers } = await scene.chat({ max_tokens: 10 });
      return ['limit', 'remaining', 'reset'].map((what) => headers.get(`x-ratelimit-${what}-requests`));
    };
    expect(await result()).toEqual(['2', '1', expect.stringMatching(/^(1m\d|60|59)s$/)]);
    expect(await result()).toEqual(['2', '0', expect.anything()]);
    expect(await result()).toEqual(['2', '0', expect.anything()]);
    const { headers } = await scene.chat({ max_tokens: 10 });
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('100000');
    expect(headers.get('x-ratelimit-reset-tokens')).toMatch(/^2[34]h\d+m\d+s$/);
    await scene.close();
  });

  test("rate limit headers use Anthropic's names for its clients", async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await make(scene, { group: scene.group, measure: 'requests_per_minute', amount: 1 });
    const send = () =>
      scene.post('/v1/messages', { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] });
    for (const status of [200, 429]) {
      const { headers, ...response } = await send();
      expect(response).toBeDefined();
      expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('1');
      expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
      expect(headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(headers.get('x-ratelimit-limit-requests')).toBeNull();
      expect(headers.get('retry-after') !== null).toBe(status === 429);
    }
    await scene.close();
  });

  test('rate limit headers are omitted when no limit applies', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    expect([...(await scene.chat()).headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    await scene.close();
  });
});

describe('[A38.5] channel limits', () => {
  const channelsOf = async (scene: Scene) =>
    (
      await app.database.selectFrom('channels').select(['id']).where('group', '=', scene.group).orderBy('id').execute()
    ).map(({ id }) => id);

  test('skips a channel that reached its limit while another one can serve, and rejects the request if none can', async () => {
    const scene = await relayFixture(app, { upstreams: [completion(), completion()] });
    const [first = 0, second = 0] = await channelsOf(scene);
    await make(scene, { channel_id: first, measure: 'requests_per_minute', amount: 2 });
    await make(scene, { channel_id: second, measure: 'requests_per_minute', amount: 3 });
    expect(await statuses(6, scene.chat)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([2, 3]);
    const rejected = await scene.chat();
    expect(await errorOf(rejected)).toMatchObject({
      message: expect.stringMatching(/^Every channel for gpt-4o has reached its limit; try again in \d+ seconds /),
    });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await scene.books()).drift).toBe(0);
    await scene.close();
  });

  test('admits no more concurrent requests than the channel limit allows', async () => {
    const scene = await relayFixture(app, { upstreams: [completion(), completion()] });
    const [first = 0] = await channelsOf(scene);
    await make(scene, { channel_id: first, measure: 'requests_per_minute', amount: 7 });
    const responses = await Promise.all(Array.from({ length: 30 }, () => scene.chat({ max_tokens: 10 })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([7, 23]);
    await scene.close();
  });

  test('skips a channel whose provider reports no remaining requests while another one can serve', async () => {
    const emptied: UpstreamHandler = (response, request) => {
      response.setHeader('x-ratelimit-remaining-requests', '0');
      response.setHeader('x-ratelimit-reset-requests', '1m0s');
      return completion()(response, request);
    };
    const scene = await relayFixture(app, { upstreams: [emptied, completion()] });
    expect(await statuses(4, scene.chat)).toEqual([200, 200, 200, 200]);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 3]);
    await scene.close();
  });

  test('counts no tokens against a channel limit for failed requests', async () => {
    const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'no' } }, 500)] });
    const [first = 0] = await channelsOf(scene);
    const { id } = await make(scene, { channel_id: first, measure: 'tokens_per_minute', amount: 10_000 });
    await scene.chat({ max_tokens: 100 });
    expect((await scene.admin.call(limitRuleApi.get, { params: { id } })).used).toBe(0);
    await scene.close();
  });
});

test('[A38.1] keeps the usage of a daily limit across a restart', async () => {
  await using database = await createTestDatabase();
  const before = await startTestApp({ on: database });
  const scene = await relayFixture(before, { upstreams: [completion()] });
  const { id } = await make(scene, { user_id: scene.user.id, measure: 'tokens_per_day', amount: 100_000 });
  await scene.chat({ max_tokens: 10 });
  const used = async () => (await scene.admin.call(limitRuleApi.get, { params: { id } })).used;
  await expect.poll(used).toBeGreaterThan(0);
  const counted = await used();
  await before.close();
  await using after = await startTestApp({ on: database });
  const admin = await after.as('admin');
  expect((await admin.call(limitRuleApi.get, { params: { id } })).used).toBe(counted);
  await scene.close();
});
