import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { CommitProxy } from '../../testing/database/commit-proxy.ts';
import { withUnappliedTotals } from '../../testing/database/hold-totals.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';
import { BalanceRollupRepository } from './balance-rollup-repository.ts';

const app = await useTestApp();

const balanced = { drift: 0, log_drift: 0, offenders: [] };

/** Totals of a user from the table alone, without pending changes. */
async function storedRequests({ database }: TestApp, id: number) {
  const user = database.selectFrom('users').select(['used_quota', 'request_count']).where('id', '=', id);
  return user.executeTakeFirstOrThrow();
}

async function expectExactTables(app: TestApp): Promise<void> {
  expect(await currentRollups(app.database)).toEqual(await rollupsOfLogs(app.database));
}

describe('[A9.10] applying pending changes', () => {
  test('applies each change exactly once while two nodes apply changes concurrently and requests are served', async () => {
    await using other = await startTestApp({ beside: app });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    let isOver = false;
    const applyAll = async ({ database }: TestApp) => {
      while (!isOver) await new BalanceRollupRepository(database).applyBatch();
    };
    const applying = Promise.all([app, other, app, other].map(applyAll));
    for (let round = 0; round < 4; round += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => scene.chat({ max_tokens: 10 })));
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    }
    isOver = true;
    await applying;
    await waitUntilTotalsApplied(app);
    const all = { used_quota: 40 * plainPrice, request_count: 40 };
    expect(await storedRequests(app, scene.user.id)).toEqual(all);
    expect((await scene.books()).user).toMatchObject({ used_quota: 40 * plainPrice, request_count: 40 });
    await expectExactTables(app);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });

  test('applies changes on one node at a time, and a second node returns without waiting', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await withUnappliedTotals(app, async () => {
      expect((await scene.chat()).status).toBe(200);
      const left = { isMine: false, changes: 0 };
      expect(await new BalanceRollupRepository(app.database).applyBatch()).toMatchObject(left);
      expect(await storedRequests(app, scene.user.id)).toMatchObject({ used_quota: 0 });
    });
    await waitUntilTotalsApplied(app);
    expect(await storedRequests(app, scene.user.id)).toMatchObject({ used_quota: plainPrice });
    await scene.close();
  });

  test.each(['response', 'commit'] as const)(
    'applies each change once when the connection breaks during the commit and the %s is lost',
    async (lost) => {
      const { databaseUrl = '' } = app.location;
      await using proxy = await CommitProxy.start(databaseUrl);
      const scene = await relayFixture(app, { upstreams: [completion()] });
      const cut = await openDatabase({ ...app.location, databaseUrl: proxy.url });
      await using stack = new AsyncDisposableStack();
      stack.defer(() => cut.destroy());
      await withUnappliedTotals(app, async () => {
        for (let count = 0; count < 3; count += 1) expect((await scene.chat()).status).toBe(200);
      });
      const losing = proxy.lose(lost, 'pg_try_advisory_xact_lock');
      await expect(new BalanceRollupRepository(cut).applyBatch()).rejects.toThrow();
      await losing;
      await waitUntilTotalsApplied(app);
      const all = { used_quota: 3 * plainPrice, request_count: 3 };
      expect(await storedRequests(app, scene.user.id)).toEqual(all);
      await expectExactTables(app);
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
      await scene.close();
    },
  );
});

test('[A9.10] applies changes of a locked row later without delaying other rows', async () => {
  const held = await relayFixture(app, { upstreams: [completion()] });
  const free = await relayFixture(app, { upstreams: [completion()] });
  // The first request of a user leases quota, which requires the row lock.
  for (const scene of [held, free]) expect((await scene.chat()).status).toBe(200);
  await waitUntilTotalsApplied(app);
  await app.database.transaction().execute(async (connection) => {
    await sql`select id from users where id = ${held.user.id} for update`.execute(connection);
    for (const scene of [held, free]) expect((await scene.chat()).status).toBe(200);
    const stored = () => storedRequests(app, free.user.id);
    await expect.poll(stored).toEqual({ used_quota: 2 * plainPrice, request_count: 2 });
    expect(await storedRequests(app, held.user.id)).toMatchObject({ used_quota: plainPrice });
    expect((await held.books()).user).toMatchObject({ used_quota: 2 * plainPrice });
  });
  const heldRow = () => storedRequests(app, held.user.id);
  await expect.poll(heldRow).toMatchObject({ used_quota: 2 * plainPrice });
  for (const scene of [held, free]) await scene.close();
});
