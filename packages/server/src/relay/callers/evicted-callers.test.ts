import { tokenApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import type { LogEvent } from 'kysely';
import { expect, test } from 'vitest';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { slowRequest } from '../../testing/relay/slow-request.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** A caller that is idle in two consecutive checks is evicted. */
const atOnce = { checkEveryMs: 3, returnAfterMs: 0, evictAfterMs: 0 };
/** Like `atOnce`, but gives an admitted request time to start. */
const soon = { ...atOnce, evictAfterMs: 2000 };

async function remembered(app: TestApp, kind: 'users' | 'tokens'): Promise<number> {
  const { text } = await app.client().request('GET', '/metrics');
  return Number(new RegExp(`^headgate_callers{kind="${kind}"} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Users of one group with one token each; every other token has a limit. */
async function crowdOf(app: TestApp, group: string, count: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { username, password } = await app.createUser({ quota: 1000, group });
    const client = await app.signedIn(username, password);
    const limit = number % 2 === 0 ? { unlimited_quota: true } : { unlimited_quota: false, remain_quota: 500 };
    keys.push((await client.call(tokenApi.create, { body: { name: 'one', ...limit } })).key);
  }
  return keys;
}

test('evicts idle users and tokens, returns their leases, and loads them again on the next request', async () => {
  await using app = await startTestApp({ idleTimes: soon });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const keys = await crowdOf(app, scene.group, 10);
  const sendAs = async (key: string) => {
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
    return (await scene.chat({ max_tokens: 10 }, { headers })).status;
  };
  const all = keys.map(() => 200);
  expect(await Promise.all(keys.map(sendAs))).toEqual(all);
  for (const kind of ['users', 'tokens'] as const) await expect.poll(() => remembered(app, kind)).toBe(0);
  expect(await app.database.selectFrom('leases').selectAll().execute()).toEqual([]);
  expect(await Promise.all(keys.map(sendAs))).toEqual(all);
  await waitUntilTotalsApplied(app);
  const users = app.database.selectFrom('users').select('used_quota').where('group', '=', scene.group);
  const used = (await users.execute()).reduce((sum, { used_quota }) => sum + used_quota, 0);
  expect(used).toBe(keys.length * 2 * plainPrice);
  await scene.close();
});

test('does not evict a user or token with an in-flight request', async () => {
  const opened = Promise.withResolvers<void>();
  await using app = await startTestApp({ idleTimes: atOnce });
  const scene = await relayFixture(app, {
    upstreams: [
      async (response, request) => {
        await opened.promise;
        await completion()(response, request);
      },
    ],
    quota: 200,
  });
  const pending = scene.chat({ max_tokens: 10 });
  await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
  // The user is still cached after many checks, with its reservation intact.
  for (let look = 0; look < 20; look += 1) expect(await remembered(app, 'users')).toBe(1);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(429);
  opened.resolve();
  expect((await pending).status).toBe(200);
  expect((await scene.books()).user.used_quota).toBe(plainPrice);
  await scene.close();
});

test('[A43.2] charges a request with a slow body to the old cache entry, not to a new one', async () => {
  let hasRead = false;
  const onStatement = ({ query }: LogEvent) => {
    hasRead ||= query.sql.includes('"key_hash" =');
  };
  await using app = await startTestApp({ idleTimes: soon, onStatement });
  const scene = await relayFixture(app, { upstreams: [completion()], quota: 200 });
  await createChannel(scene.admin, scene.group, scene.upstreams[0]?.url ?? '', { type: 43, models: '' });
  const ofProxies = app.database.selectFrom('channels').select('id').where('type', '=', 43);
  const channel = await ofProxies.executeTakeFirstOrThrow();
  const call = slowRequest(app.url, `/v1/proxy/${channel.id}/v1/things`, {
    authorization: `Bearer sk-${scene.token.key}`,
    'content-type': 'application/json',
    'content-length': '2',
    connection: 'close',
  });
  // This request was admitted before another request of the same user and is evicted after it.
  await expect.poll(() => hasRead).toBe(true);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  await expect.poll(() => remembered(app, 'tokens')).toBe(0);
  call.send('{}');
  const response = await call.response;
  expect(response).toMatch(/^HTTP\/1.1 503 /);
  expect(response.toLowerCase()).toContain('retry-after');
  expect(scene.upstreams[0]?.received).toHaveLength(1);
  await scene.close();
});
