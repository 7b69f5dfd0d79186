import { optionApi, statusApi } from '@headgate/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { Database } from '../db/database.ts';

const waiting = { interval: 20 };

const nameOn = async (app: TestApp) => (await app.client().call(statusApi.status)).system_name;

async function rename(app: TestApp, value: string): Promise<void> {
  const admin = await app.as('admin');
  await admin.call(optionApi.update, { body: { key: 'SystemName', value } });
  // The node that made the change has applied it already.
  expect(await nameOn(app)).toBe(value);
}

const feedsOn = async (database: Database) => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'headgate_changes %'`.execute(database);
  return rows.map(({ pid }) => pid);
};

describe('several nodes on one database', () => {
  test('nodes apply a change immediately', async () => {
    await using first = await startTestApp();
    await using second = await startTestApp({ beside: first });
    await rename(first, 'Sluice');
    await expect.poll(() => nameOn(second), waiting).toBe('Sluice');
    await rename(second, 'Weir');
    await expect.poll(() => nameOn(first), waiting).toBe('Weir');
  });

  test('nodes apply changes that were made while they were disconnected', async () => {
    await using first = await startTestApp({ confirmingPatienceMs: 1000 });
    await using second = await startTestApp({ beside: first });
    const pids = await feedsOn(first.database);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await sql`select pg_terminate_backend(${pid})`.execute(first.database);
    await expect.poll(() => feedsOn(first.database), waiting).toEqual([]);
    await rename(first, 'Sluice');
    await expect.poll(() => nameOn(second), waiting).toBe('Sluice');
    await expect.poll(() => feedsOn(first.database), waiting).toHaveLength(2);
    await rename(first, 'Weir');
    await expect.poll(() => nameOn(second), waiting).toBe('Weir');
  });

  test('nodes leave no connection open when closed', async () => {
    await using first = await startTestApp();
    expect(await feedsOn(first.database)).toHaveLength(1);
    await first.app.close();
    await expect.poll(() => feedsOn(first.database), waiting).toEqual([]);
  });
});
