import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamAnswer } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { CommitProxy } from '../testing/commit-proxy.ts';
import { pausingProxy } from '../testing/pausing-proxy.ts';
import { addressOf, startServer } from '../testing/program.ts';
import { relayScene } from '../testing/relay-scene.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { askFirst, askNode, comeAgain, toldBy } from '../testing/two-nodes.ts';

const balanced = { drift: 0, log_drift: 0, offenders: [] };
/** What a request with 10 tokens at most holds when there is little: (10 of the prompt + 10 × 4) × 2.5. */
const held = 125;
const requests = 10;

/** So long that nothing here is over because a transaction was ended. */
const idleSeconds = 100;
const databaseLimits = { statementMs: 100_000, lockMs: 100_000, idleMs: idleSeconds * 1000 };
/** The second statement of a lease; the first has locked the row of its user. */
const midLease = 'as points from users_now';

const statusOf = async (asking: Promise<Response>) => (await asking).status;

async function isLocked({ database }: TestApp, user: number): Promise<boolean> {
  const { rows } = await sql`select id from users where id = ${user} for update skip locked`.execute(database);
  return rows.length === 0;
}

async function expectCharged(scene: Awaited<ReturnType<typeof relayScene>>, count: number): Promise<void> {
  const { user, logs, drift } = await scene.books();
  const charged = logs.filter(({ type }) => type === 2).length;
  expect([charged, user.used_quota, drift]).toEqual([count, count * plainPrice, 0]);
  await scene.close();
}

describe('[A9.9] a node that falls silent in mid-transaction, with the row of a user locked', () => {
  test.each(['cut off', 'frozen'] as const)(
    '%s: of 40 requests of that user and 40 of another the second node serves every one, before the transaction is ended',
    async (silence) => {
      await using near = await startTestApp({ config: { databaseLimits } });
      const { dataDir, databaseUrl = '' } = near.location;
      await using proxy = await CommitProxy.start(databaseUrl);
      const [scene, other] = await Promise.all([1, 2].map(() => relayScene(near, { upstreams: [completion()] })));
      if (!scene || !other) throw new Error('no scenes');
      await using server = startServer(
        {
          DATA_DIR: dataDir,
          DATABASE_URL: proxy.url,
          LOG_LEVEL: 'silent',
          DATABASE_IDLE_SECONDS: String(idleSeconds),
        },
        dataDir,
      );
      const far = { url: await addressOf(server) };
      for (const each of [scene, other]) await askFirst(near, each);
      const pulled = proxy.lose('cable', midLease);
      const asking = askNode(far, scene);
      await pulled;
      if (silence === 'frozen') server.process.kill('SIGSTOP');
      expect(await isLocked(near, scene.user.id)).toBe(true);
      const begun = [scene, other].flatMap((each) => Array.from({ length: 40 }, () => statusOf(askNode(near, each))));
      const statuses = await Promise.all(begun);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      expect(await isLocked(near, scene.user.id)).toBe(true);
      if (silence === 'frozen') server.process.kill('SIGCONT');
      proxy.open();
      // Let in once it has leased, or told to come again: nothing else.
      const late = await toldBy(await asking);
      expect(late === '200' || comeAgain.has(late), late).toBe(true);
      await askFirst(far, scene);
      await expectCharged(scene, 41 + 1 + Number(late === '200'));
      await expectCharged(other, 41);
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    },
  );
});

test('[A1.9] a node cut off alone for longer than its leases last, while another spends them: below zero by what its running requests cost at most', async () => {
  await using near = await startTestApp();
  await using proxy = await pausingProxy(near.location.databaseUrl ?? '');
  const location = { ...near.location, databaseUrl: proxy.url };
  await using far = await startTestApp({ beside: { ...near, location } });
  const opened = Promise.withResolvers<void>();
  const answer: UpstreamAnswer = async (response, request) => {
    const isFar = asked() > 1 && asked() <= requests + 1;
    if (isFar) await opened.promise;
    await completion()(response, request);
  };
  const scene = await relayScene(near, { upstreams: [answer], quota: requests * held + plainPrice });
  const asked = () => scene.upstreams[0]?.seen.length ?? 0;
  await askFirst(far, scene);
  const running = Array.from({ length: requests }, () => statusOf(askNode(far, scene)));
  await expect.poll(asked).toBe(requests + 1);
  proxy.cut();
  // Others leave it what it leased for a while, then they count on it.
  await expect.poll(() => statusOf(askNode(near, scene))).toBe(200);
  const elsewhere = await Promise.all(Array.from({ length: 2 * requests }, () => statusOf(askNode(near, scene))));
  const spentElsewhere = 1 + elsewhere.filter((status) => status === 200).length;
  expect(elsewhere.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
  expect(spentElsewhere).toBeGreaterThan(1);
  // Alone it begins nothing more.
  const refused = await askNode(far, scene);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect(asked()).toBe(requests + 1 + spentElsewhere);
  opened.resolve();
  proxy.open();
  expect(await Promise.all(running)).toEqual(running.map(() => 200));
  const { user, logs, drift } = await scene.books();
  const served = 1 + requests + spentElsewhere;
  expect(logs.filter(({ type }) => type === 2)).toHaveLength(served);
  expect([user.used_quota, drift]).toEqual([served * plainPrice, 0]);
  expect(user.quota).toBeGreaterThanOrEqual(-requests * plainPrice);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});

test('[A1.9] the points that a frozen node had leased come back to the others; when it thaws it spends none of them twice', async () => {
  await using near = await startTestApp();
  const { dataDir, databaseUrl = '' } = near.location;
  const scene = await relayScene(near, { upstreams: [completion()], quota: requests * held });
  await using server = startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }, dataDir);
  const far = { url: await addressOf(server) };
  await askFirst(far, scene);
  server.process.kill('SIGSTOP');
  await expect.poll(() => statusOf(askNode(near, scene))).toBe(200);
  server.process.kill('SIGCONT');
  // All that is left, and more, is asked for on both at once.
  const asked = [near, far].flatMap((node) =>
    Array.from({ length: 2 * requests }, () => statusOf(askNode(node, scene))),
  );
  const statuses = await Promise.all(asked);
  expect(statuses.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
  await expect.poll(() => statusOf(askNode(far, scene))).toBeLessThan(500);
  const { user, logs, drift } = await scene.books();
  const served = logs.filter(({ type }) => type === 2).length;
  expect([user.used_quota, drift]).toEqual([served * plainPrice, 0]);
  expect(user.quota).toBeGreaterThanOrEqual(0);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
