import { completion, plainPrice } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { CommitProxy } from '../../testing/database/commit-proxy.ts';
import { requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Timeouts of the node that falls silent: its transaction is soon aborted. */
const databaseLimits = { statementMs: 30_000, lockMs: 5000, idleMs: 2000 };
/** Timeouts of the other node, which may be slow without being disconnected. */
const patientLimits = { statementMs: 100_000, lockMs: 100_000, idleMs: 100_000 };

describe('[A9.9] node that stops responding during a transaction with locks on shared rows', () => {
  test('does not block the other node, and its charge is stored once when it reconnects', async () => {
    await using near = await startTestApp({ config: { databaseLimits: patientLimits } });
    await using proxy = await CommitProxy.start(near.location.databaseUrl ?? '');
    const location = { ...near.location, databaseUrl: proxy.url };
    await using far = await startTestApp({ beside: { ...near, location }, config: { databaseLimits } });
    const scene = await relayFixture(near, { upstreams: [completion()] });
    await warmUpNode(near, scene);
    await warmUpNode(far, scene);
    const pulled = proxy.lose('network');
    const pending = requestNode(far, scene);
    await pulled;
    for (let count = 0; count < 5; count += 1) expect((await requestNode(near, scene)).status).toBe(200);
    expect((await fetch(`${far.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${near.url}/readyz`)).status).toBe(200);
    proxy.open();
    expect((await pending).status).toBe(200);
    const { user, logs, drift } = await scene.books();
    expect([logs.length, user.request_count]).toEqual([8, 8]);
    expect([user.used_quota, drift]).toEqual([8 * plainPrice, 0]);
    await scene.close();
  });
});

test('[A9.9] responses do not wait for connections held by slow reads', async () => {
  await using app = await startTestApp({ config: { databaseLimits: patientLimits } });
  await using other = await startTestApp({ beside: app, config: { databaseLimits: patientLimits } });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  const key = 4711;
  await other.database.transaction().execute(async (connection) => {
    await sql`select pg_advisory_xact_lock(${key})`.execute(connection);
    const slow = Array.from({ length: 40 }, () =>
      sql`select pg_advisory_xact_lock_shared(${key})`.execute(app.database).catch(() => undefined),
    );
    const waiting = sql<{ count: number }>`select count(*) from pg_stat_activity
      where wait_event = 'advisory' and datname = current_database()`;
    await expect.poll(async () => (await waiting.execute(other.database)).rows[0]?.count).toBe(10);
    expect((await scene.chat()).status).toBe(200);
    await sql`select 1`.execute(connection);
    void Promise.all(slow);
  });
  expect((await scene.books()).logs).toHaveLength(2);
  await scene.close();
});
