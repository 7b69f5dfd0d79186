import { ledgerApi, tokenApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, offenders: [] };
/** Longer than the tests block a statement. */
const databaseLimits = { statementMs: 60_000, lockMs: 60_000, idleMs: 60_000 };
const heldModel = 'gpt-3.5-turbo';
const key = 4712;

/**
 * Makes statements that store a request for this model block at their end, when everything is written but not
 * committed.
 */
async function holdGroups(database: Database): Promise<void> {
  await sql`create function hold_group() returns trigger as $$ begin
    if new.model_name = '${sql.raw(heldModel)}' then perform pg_advisory_xact_lock_shared(${sql.lit(key)}); end if;
    return null; end $$ language plpgsql`.execute(database);
  await sql`create trigger hold_group after insert on logs for each row execute function hold_group()`.execute(
    database,
  );
}

/** Lock waits of all sessions. */
async function lockWaits(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ wait_event: string }>`select wait_event from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(database);
  return rows.map(({ wait_event }) => wait_event);
}

test('[A9.9] a node blocked while storing a batch does not block another node for the same user, token, channel and hour', async () => {
  await using near = await startTestApp({ config: { databaseLimits } });
  await using far = await startTestApp({ beside: near, config: { databaseLimits } });
  const scene = await relayFixture(near, { upstreams: [completion()] });
  await holdGroups(near.database);
  await warmUpNode(near, scene);
  await warmUpNode(far, scene);
  let held: Promise<Response> | undefined;
  await near.database.transaction().execute(async (connection) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(key)})`.execute(connection);
    held = requestNode(far, scene, { model: heldModel });
    await expect.poll(() => lockWaits(near.database)).toEqual(['advisory']);
    for (let count = 0; count < 5; count += 1) {
      const replies = await Promise.all([near, far].map((node) => requestNode(node, scene)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await lockWaits(near.database)).toEqual(['advisory']);
    }
    // Committed changes can be applied to the totals in the meantime.
    await waitUntilTotalsApplied(near);
    expect((await scene.books()).user).toMatchObject({ request_count: 12, used_quota: 12 * plainPrice });
  });
  expect((await held)?.status).toBe(200);
  const { user, logs, drift } = await scene.books();
  expect([user.request_count, logs.length, drift]).toEqual([13, 13, 0]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});

test('[A9.9] batches of one node do not block each other, and reading a balance waits for all of them', async () => {
  await using app = await startTestApp({ config: { databaseLimits } });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const second = await scene.client.call(tokenApi.create, {
    body: { name: 'second', unlimited_quota: false, remain_quota: 1000 },
  });
  await holdGroups(app.database);
  await warmUpNode(app, scene);
  const ended: string[] = [];
  let all: Promise<unknown> | undefined;
  await app.database.transaction().execute(async (connection) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(key)})`.execute(connection);
    const held = requestNode(app, scene, { model: heldModel }).then(() => ended.push('held'));
    await expect.poll(() => lockWaits(app.database)).toEqual(['advisory']);
    for (let count = 0; count < 5; count += 1) expect((await requestNode(app, scene)).status).toBe(200);
    // The first request of a token reads its remaining quota.
    const reading = requestNode(app, { ...scene, token: second }).then(() => ended.push('read'));
    all = Promise.all([held, reading]);
    await sql`select pg_sleep(0.2)`.execute(connection);
    expect(ended).toEqual([]);
  });
  await all;
  expect(ended).toEqual(['held', 'read']);
  const { user, drift } = await scene.books();
  expect([user.request_count, drift]).toEqual([8, 0]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
