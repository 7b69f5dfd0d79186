import { tokenApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { LockedRows } from '../../testing/database/locked-rows.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { PointOwner } from '../callers/point-holder.ts';
import { LeaseRepository } from './lease-repository.ts';

const app = await useTestApp();

async function userWithToken(): Promise<readonly PointOwner[]> {
  const user = await app.createUser({ quota: 100 });
  const client = await app.signedIn(user.username, user.password);
  const body = { name: 'limited', unlimited_quota: false, remain_quota: 100 };
  const token = await client.call(tokenApi.create, { body });
  return [
    { kind: 'user', id: user.id },
    { kind: 'token', id: token.id },
  ];
}

async function budgetPeriod(): Promise<PointOwner> {
  const { id: budget_id } = await app.database
    .insertInto('budgets')
    .values({
      ...{ owner_kind: 'group', owner_id: 0, owner_group: 'default', amount: 100, period: 'all', time_zone: 'UTC' },
      ...{ enabled: 1, note: '', created_time: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await app.database
    .insertInto('budget_periods')
    .values({ budget_id, start_time: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { kind: 'budget', id };
}

const tables = { user: 'users', token: 'tokens', budget: 'budget_periods' } as const;

test("[A1.3] leasing quota waits for another node that has locked the owner's row", async () => {
  for (const { kind, id } of [...(await userWithToken()), await budgetPeriod()]) {
    await using other = await LockedRows.by(app, `select id from ${tables[kind]} where id = ${id} for update`);
    const leasing = app.database
      .transaction()
      .execute((database) => new LeaseRepository(database).locked({ kind, id }));
    const first = await Promise.race([other.untilWaitedFor().then(() => 'waits'), leasing]);
    expect(first, kind).toBe('waits');
    await other.release();
    expect(await leasing, kind).toBe(100);
  }
});
