import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

/** Value of a series; undefined when there is none. */
async function shown(series: string): Promise<number | undefined> {
  const { text } = await app.client().request('GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('counts database errors by kind, and connections', async () => {
  const isSqlite = inject('database') === 'sqlite';
  const pool = isSqlite ? 'all' : 'console';
  const constraint = `headgate_database_errors_total{pool="${pool}",kind="constraint"}`;
  const before = (await shown(constraint)) ?? 0;
  const { username } = await app.createUser();
  await expect(app.createUser({ username })).rejects.toThrow();
  expect(await shown(constraint)).toBe(before + 1);
  await expect(sql`select nothing_of_the_kind`.execute(app.database)).rejects.toThrow();
  expect(await shown(`headgate_database_errors_total{pool="${pool}",kind="other"}`)).toBeGreaterThan(0);
  const idle = 'headgate_database_connections{pool="relay",state="idle"}';
  if (isSqlite) expect(await shown(idle)).toBeUndefined();
  else await expect.poll(() => shown(idle)).toBeGreaterThan(0);
});

if (inject('database') === 'postgres')
  test('counts waits for a connection, and the leases of this node', async () => {
    const waits = 'headgate_database_connection_waits_total{pool="console"}';
    const before = (await shown(waits)) ?? 0;
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.1)`.execute(app.database)));
    expect(await shown(waits)).toBeGreaterThanOrEqual(before + 2);
    expect(await shown('headgate_database_connection_wait_seconds_total{pool="console"}')).toBeGreaterThan(0.1);
    expect(await shown('headgate_leases_in_touch')).toBe(1);
    const leases = (await shown('headgate_leases')) ?? 0;
    const scene = await relayFixture(app, { upstreams: [completion()], quota: 5000 });
    const leased = (await shown('headgate_leased_quota')) ?? 0;
    await (await scene.chat()).text();
    expect(await shown('headgate_leases')).toBe(leases + 1);
    expect(await shown('headgate_leased_quota')).toBe(leased + 5000);
    await scene.close();
  });
