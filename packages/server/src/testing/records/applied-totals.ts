import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import type { TestApp } from '../test-app.ts';

/** Waits until all pending changes are applied to the totals. */
export async function waitUntilTotalsApplied({ database }: Pick<TestApp, 'database'>): Promise<void> {
  if (inject('database') === 'sqlite') return;
  const left = async () => {
    const { count } = await database
      .selectNoFrom(
        sql<number>`(select count(*) from balance_changes) + (select count(*) from budget_changes)`.as('count'),
      )
      .executeTakeFirstOrThrow();
    return count;
  };
  await expect.poll(left).toBe(0);
}
