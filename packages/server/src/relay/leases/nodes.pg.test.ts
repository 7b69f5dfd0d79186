import { logType, userApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamAnswer } from '@headgate/testkit';
import { type LogEvent, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { nodeLockClass } from '../../db/node-lock.ts';
import { addressOf, startServer } from '../../testing/program.ts';
import { relayScene } from '../../testing/relay-scene.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { askFirst, askNode, askUntilServed, twoNodes } from '../../testing/two-nodes.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/** What a request with 10 tokens at most holds when there is little: (10 of the prompt + 10 × 4) × 2.5. */
const held = 125;

const ask = (url: string, scene: Scene, body: object = {}) => askNode({ url }, scene, body);

/** A request that may cost nearly all of this. */
const nearlyAllOf = (quota: number) => ({ max_tokens: Math.floor(quota / 10) - 10 });

/** The status of such a request. */
const askForNearlyAll = async (url: string, scene: Scene, quota: number) =>
  (await ask(url, scene, nearlyAllOf(quota))).status;

/** Answers nobody before it is told to. */
function gate(): { answer: UpstreamAnswer; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    answer: async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    },
    open: opened.resolve,
  };
}

const leasesOf = ({ database }: TestApp) => database.selectFrom('leases').selectAll().execute();

describe('several nodes on one database', () => {
  test.each([
    ['a user', { quota: held * 10 }],
    ['a limited token', { quota: 1_000_000, token: { unlimited_quota: false, remain_quota: held * 10 } }],
  ])('[A1.3] 100 requests over two nodes with quota of %s for 10: ten at most are let in', async (_, options) => {
    const { near, far, stack } = await twoNodes();
    await using _nodes = stack;
    const { answer, open } = gate();
    const scene = await relayScene(near, { upstreams: [answer], ...options });
    const asked = () => scene.upstreams[0]?.seen.length ?? 0;
    let refused = 0;
    const asking = Array.from({ length: 100 }, async (__, index) => {
      const { status } = await ask(index % 2 === 0 ? near.url : far.url, scene);
      if (status !== 200) refused += 1;
      return status;
    });
    await expect.poll(() => asked() + refused).toBe(100);
    expect(asked()).toBeLessThanOrEqual(10);
    open();
    const statuses = await Promise.all(asking);
    const succeeded = statuses.filter((status) => status === 200).length;
    expect(succeeded).toBe(asked());
    expect(succeeded).toBeGreaterThan(7);
    // Out of touch is one that waited too long for the database.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(429);
    const { user, drift, logs } = await scene.books();
    const charged = logs.filter(({ type }) => type === logType.consumption);
    expect([user.used_quota, charged.length, drift]).toEqual([succeeded * plainPrice, succeeded, 0]);
    await scene.close();
  });

  test('a node asks now and then, not without a pause, while the others hold everything', async () => {
    let asked = 0;
    const onStatement = ({ query }: LogEvent) => {
      if (JSON.stringify(query.parameters).includes('wanted:user:')) asked += 1;
    };
    const { near, far, stack } = await twoNodes({ onStatement });
    await using _nodes = stack;
    // One that has never heard of the user has nothing to give either.
    await using _stranger = await startTestApp({ beside: near });
    const scene = await relayScene(near, { upstreams: [completion()], quota: 10_000 });
    await askFirst(far, scene);
    const { answer, open } = gate();
    stack.defer(open);
    const [upstream] = scene.upstreams;
    if (upstream) upstream.answer = answer;
    const holding = askForNearlyAll(far.url, scene, 10_000 - plainPrice);
    await expect.poll(() => upstream?.seen).toHaveLength(2);
    expect((await ask(near.url, scene)).status).toBe(429);
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(15);
    open();
    expect(await holding).toBe(200);
    await scene.close();
  });

  test('a node that never met the user locks and asks nothing when others share his points', async () => {
    const { near, far, stack } = await twoNodes();
    await using _nodes = stack;
    const locks: string[] = [];
    const onStatement = ({ query }: LogEvent) => void (query.sql.includes('for update') && locks.push(query.sql));
    await using _stranger = await startTestApp({ beside: near, onStatement });
    const scene = await relayScene(near, { upstreams: [completion()] });
    expect((await ask(near.url, scene)).status).toBe(200);
    await askFirst(far, scene);
    expect(await leasesOf(near)).toHaveLength(2);
    // The reply waits until every node has heard of it, and so of what was said before.
    await scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota: 1 } });
    expect(locks).toEqual([]);
    await scene.close();
  });

  test('quota moves to where it is needed, all of it', async () => {
    const { near, far, stack } = await twoNodes();
    await using _nodes = stack;
    const scene = await relayScene(near, { upstreams: [completion()], quota: 10_000 });
    for (let round = 0; round < 3; round += 1) {
      const left = (await scene.books()).user.quota;
      expect(await askForNearlyAll(near.url, scene, left)).toBe(200);
      expect(await askForNearlyAll(far.url, scene, left - plainPrice)).toBe(200);
    }
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([6 * plainPrice, 0]);
    await scene.close();
  });

  test('while there is plenty, a node that has its share asks nobody', async () => {
    const { near, far, stack } = await twoNodes();
    await using _nodes = stack;
    const scene = await relayScene(near, { upstreams: [completion()] });
    expect((await ask(near.url, scene)).status).toBe(200);
    await askFirst(far, scene);
    const shared = await leasesOf(near);
    expect(shared.map(({ kind }) => kind)).toEqual(['user', 'user']);
    for (let round = 0; round < 5; round += 1) {
      for (const node of [near, far]) expect((await ask(node.url, scene)).status).toBe(200);
    }
    expect(await leasesOf(near)).toEqual(shared);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([12 * plainPrice, 0]);
    await scene.close();
  });

  test('what an admin gives or takes counts on every node as soon as it hears of it', async () => {
    const { near, far, stack } = await twoNodes();
    await using _nodes = stack;
    const scene = await relayScene(near, { upstreams: [completion()], quota: held });
    expect((await ask(near.url, scene)).status).toBe(200);
    expect((await ask(far.url, scene)).status).toBe(402);
    await scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota: 10_000 } });
    await expect.poll(() => askForNearlyAll(far.url, scene, 10_000)).toBe(200);
    await scene.admin.call(userApi.update, { body: { id: scene.user.id, quota: 10 } as never });
    for (const node of [near, far]) await expect.poll(async () => (await ask(node.url, scene)).status).toBe(402);
    expect((await scene.books()).drift).toBe(0);
    await scene.close();
  });

  test('a node that is closed gives everything back', async () => {
    await using near = await startTestApp();
    const far = await startTestApp({ beside: near });
    const scene = await relayScene(near, { upstreams: [completion()], quota: 10_000 });
    await askFirst(far, scene);
    expect(await leasesOf(near)).toMatchObject([{ kind: 'user', owner_id: scene.user.id, points: 10_000 }]);
    await far.close();
    expect(await leasesOf(near)).toEqual([]);
    expect(await askForNearlyAll(near.url, scene, 10_000 - plainPrice)).toBe(200);
    await scene.close();
  });

  test('what a killed node had comes back', async () => {
    await using near = await startTestApp();
    const scene = await relayScene(near, { upstreams: [completion()], quota: 10_000 });
    const { dataDir, databaseUrl = '' } = near.location;
    await using far = startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' }, dataDir);
    expect((await ask(await addressOf(far), scene)).status).toBe(200);
    expect(await leasesOf(near)).toMatchObject([{ owner_id: scene.user.id, points: 10_000 }]);
    far.process.kill('SIGKILL');
    await far.exit;
    // How long that takes is the machine's matter: a request may be told to come again.
    await askUntilServed(near, scene, nearlyAllOf(10_000 - plainPrice));
    expect(await leasesOf(near)).toHaveLength(1);
    expect((await scene.books()).drift).toBe(0);
    await scene.close();
  });

  test('a node that lost touch leases anew, and requests wait for it', async () => {
    await using near = await startTestApp();
    const scene = await relayScene(near, { upstreams: [completion()], quota: 10_000 });
    expect((await ask(near.url, scene)).status).toBe(200);
    const [before] = await leasesOf(near);
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ${nodeLockClass}
      and database = (select oid from pg_database where datname = current_database())`.execute(near.database);
    // It hears of the loss a moment later; whichever request comes when, it is served.
    const nodeAfterRequest = async () => {
      expect((await ask(near.url, scene)).status).toBe(200);
      return (await leasesOf(near)).map(({ node }) => node);
    };
    await expect.poll(nodeAfterRequest).not.toEqual([before?.node]);
    expect(await leasesOf(near)).toHaveLength(1);
    const { user, drift } = await scene.books();
    expect(await askForNearlyAll(near.url, scene, user.quota)).toBe(200);
    expect(drift).toBe(0);
    await scene.close();
  });
});
