import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { addressOf, startServer } from '../process/program.ts';
import { requestNode, requestResult, retryableErrors, statusOf, warmUpNode } from '../process/two-nodes.ts';
import { relayFixture } from '../relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { CommitProxy } from './commit-proxy.ts';

/** Longer than any transaction in these tests. */
const idleSeconds = 100;
const databaseLimits = { statementMs: 100_000, lockMs: 100_000, idleMs: idleSeconds * 1000 };
/** Text of the second statement of a lease; the first one has locked the user's row. */
const midLease = 'as points from users_now';

async function isLocked({ database }: TestApp, user: number): Promise<boolean> {
  const { rows } = await sql`select id from users where id = ${user} for update skip locked`.execute(database);
  return rows.length === 0;
}

async function expectCharged(scene: Awaited<ReturnType<typeof relayFixture>>, count: number): Promise<void> {
  const { user, logs, drift } = await scene.books();
  const charged = logs.filter(({ type }) => type === 2).length;
  expect([charged, user.used_quota, drift]).toEqual([count, count * plainPrice, 0]);
  await scene.close();
}

/**
 * Disconnects or freezes a node during a transaction that locks a user, and expects another node to serve that user in
 * the meantime.
 */
export async function expectServedWithUnresponsiveNode(silence: 'cut off' | 'frozen'): Promise<void> {
  await using near = await startTestApp({ config: { databaseLimits } });
  const { dataDir, databaseUrl = '' } = near.location;
  await using proxy = await CommitProxy.start(databaseUrl);
  const [scene, other] = await Promise.all([1, 2].map(() => relayFixture(near, { upstreams: [completion()] })));
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
  for (const each of [scene, other]) await warmUpNode(near, each);
  const pulled = proxy.lose('network', midLease);
  const pending = requestNode(far, scene);
  await pulled;
  if (silence === 'frozen') server.process.kill('SIGSTOP');
  expect(await isLocked(near, scene.user.id)).toBe(true);
  const begun = [scene, other].flatMap((each) => Array.from({ length: 40 }, () => statusOf(requestNode(near, each))));
  const statuses = await Promise.all(begun);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(await isLocked(near, scene.user.id)).toBe(true);
  if (silence === 'frozen') server.process.kill('SIGCONT');
  proxy.open();
  // Either served after the lease, or rejected with a retryable error.
  const late = await requestResult(await pending);
  expect(late === '200' || retryableErrors.has(late), late).toBe(true);
  await warmUpNode(far, scene);
  await expectCharged(scene, 41 + 1 + Number(late === '200'));
  await expectCharged(other, 41);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, offenders: [] });
}
