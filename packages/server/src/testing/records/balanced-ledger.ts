import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

/** Expects the credited quota of every user to equal the remaining quota plus the used quota. */
export async function expectBalancedLedger(database: Database): Promise<void> {
  const users = await database
    .selectFrom(currentTable(database, 'users'))
    .select(['username', 'credited', 'quota', 'used_quota', 'plan_quota'])
    .execute();
  expect(
    users.filter(({ credited, quota, used_quota, plan_quota }) => credited + plan_quota !== quota + used_quota),
  ).toEqual([]);
}
