import { logType, userApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { type LogEvent, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { nodeLockClass } from '../../platform/db/node-lock.ts';
import { readLeases, requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

type Scene = Awaited<ReturnType<typeof relayFixture>>;

/** Parameters of the statements with which the near node requests a user's quota from other nodes. */
const leaseQueries: string[] = [];
const near = await useTestApp({
  onStatement: ({ query }: LogEvent) => {
    const parameters = JSON.stringify(query.parameters);
    if (parameters.includes('wanted:user:')) leaseQueries.push(parameters);
  },
});
const far = await useTestApp({ beside: near });
/** Row locks taken by a node that gets no requests. */
const locks: string[] = [];
const onStatement = ({ query }: LogEvent) => void (query.sql.includes('for update') && locks.push(query.sql));
await useTestApp({ beside: near, onStatement });

/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;

const ask = (url: string, scene: Scene, body: object = {}) => requestNode({ url }, scene, body);

/** A request that may cost nearly all of the quota. */
const nearlyAllOf = (quota: number) => ({ max_tokens: Math.floor(quota / 10) - 10 });

/** Status of a request for nearly all of the quota. */
const askForNearlyAll = async (url: string, scene: Scene, quota: number) =>
  (await ask(url, scene, nearlyAllOf(quota))).status;

/** Upstream that does not respond until opened. */
function gate(): { respond: UpstreamHandler; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    respond: async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    },
    open: opened.resolve,
  };
}

describe('several nodes on one database', () => {
  test.each([
    ['a user', { quota: held * 10 }],
    ['a limited token', { quota: 1_000_000, token: { unlimited_quota: false, remain_quota: held * 10 } }],
  ])('[A1.3] admits at most ten of 40 requests over two nodes with quota of %s for ten', async (_, options) => {
    const { respond, open } = gate();
    const scene = await relayFixture(near, { upstreams: [respond], ...options });
    const sent = () => scene.upstreams[0]?.received.length ?? 0;
    let rejected = 0;
    const pending = Array.from({ length: 40 }, async (__, index) => {
      const { status } = await ask(index % 2 === 0 ? near.url : far.url, scene);
      if (status !== 200) rejected += 1;
      return status;
    });
    await expect.poll(() => sent() + rejected).toBe(40);
    expect(sent()).toBeLessThanOrEqual(10);
    open();
    const statuses = await Promise.all(pending);
    const succeeded = statuses.filter((status) => status === 200).length;
    expect(succeeded).toBe(sent());
    expect(succeeded).toBeGreaterThan(7);
    // 503 if the request waited too long for the database.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(429);
    const { user, drift, logs } = await scene.books();
    const charged = logs.filter(({ type }) => type === logType.consumption);
    expect([user.used_quota, charged.length, drift]).toEqual([succeeded * plainPrice, succeeded, 0]);
    await scene.close();
  });

  test('pauses between requests to other nodes while they hold all points', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000 });
    await warmUpNode(far, scene);
    const { respond, open } = gate();
    const [upstream] = scene.upstreams;
    if (upstream) upstream.handler = respond;
    const holding = askForNearlyAll(far.url, scene, 10_000 - plainPrice);
    await expect.poll(() => upstream?.received).toHaveLength(2);
    expect((await ask(near.url, scene)).status).toBe(429);
    const ofUser = leaseQueries.filter((parameters) => parameters.includes(`wanted:user:${scene.user.id}`));
    expect(ofUser.length).toBeGreaterThan(1);
    expect(ofUser.length).toBeLessThan(15);
    open();
    expect(await holding).toBe(200);
    await scene.close();
  });

  test('does not lock rows or send messages on a node that has never seen the user', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()] });
    expect((await ask(near.url, scene)).status).toBe(200);
    await warmUpNode(far, scene);
    expect(await readLeases(near, scene)).toHaveLength(2);
    // The response waits until every node has received this notification, and thus all earlier ones.
    await scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota: 1 } });
    expect(locks).toEqual([]);
    await scene.close();
  });

  test('moves all quota to the node that needs it', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000 });
    for (let round = 0; round < 2; round += 1) {
      const left = (await scene.books()).user.quota;
      expect(await askForNearlyAll(near.url, scene, left)).toBe(200);
      expect(await askForNearlyAll(far.url, scene, left - plainPrice)).toBe(200);
    }
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([4 * plainPrice, 0]);
    await scene.close();
  });

  test('sends no requests to other nodes while its own lease is sufficient', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()] });
    expect((await ask(near.url, scene)).status).toBe(200);
    await warmUpNode(far, scene);
    const shared = await readLeases(near, scene);
    expect(shared.map(({ kind }) => kind)).toEqual(['user', 'user']);
    for (let round = 0; round < 5; round += 1) {
      for (const node of [near, far]) expect((await ask(node.url, scene)).status).toBe(200);
    }
    expect(await readLeases(near, scene)).toEqual(shared);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([12 * plainPrice, 0]);
    await scene.close();
  });

  test('applies quota changes by an admin on every node', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()], quota: held });
    expect((await ask(near.url, scene)).status).toBe(200);
    expect((await ask(far.url, scene)).status).toBe(402);
    await scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota: 10_000 } });
    await expect.poll(() => askForNearlyAll(far.url, scene, 10_000)).toBe(200);
    await scene.admin.call(userApi.update, { body: { id: scene.user.id, quota: 10 } });
    for (const node of [near, far]) await expect.poll(async () => (await ask(node.url, scene)).status).toBe(402);
    expect((await scene.books()).drift).toBe(0);
    await scene.close();
  });

  test('returns all leases when a node shuts down', async () => {
    const closing = await startTestApp({ beside: near });
    const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000 });
    await warmUpNode(closing, scene);
    expect(await readLeases(near, scene)).toMatchObject([{ kind: 'user', owner_id: scene.user.id, points: 10_000 }]);
    await closing.close();
    expect(await readLeases(near, scene)).toEqual([]);
    expect(await askForNearlyAll(near.url, scene, 10_000 - plainPrice)).toBe(200);
    await scene.close();
  });

  test('leases again after a disconnect, and requests wait for it', async () => {
    const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000 });
    expect((await ask(near.url, scene)).status).toBe(200);
    const [before] = await readLeases(near, scene);
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ${nodeLockClass}
      and objid = ${before?.node} and database = (select oid from pg_database where datname = current_database())`.execute(
      near.database,
    );
    // The disconnect is noticed a little later; requests are served whenever they arrive.
    const nodeAfterRequest = async () => {
      expect((await ask(near.url, scene)).status).toBe(200);
      return (await readLeases(near, scene)).map(({ node }) => node);
    };
    await expect.poll(nodeAfterRequest).not.toEqual([before?.node]);
    expect(await readLeases(near, scene)).toHaveLength(1);
    const { user, drift } = await scene.books();
    expect(await askForNearlyAll(near.url, scene, user.quota)).toBe(200);
    expect(drift).toBe(0);
    await scene.close();
  });
});
