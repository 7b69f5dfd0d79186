import { orderApi, ownPlanApi, referralApi, role } from '@headgate/contract';
import { expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { fastPasswordHash } from '../../testing/accounts/fast-password-hash.ts';
import { databaseContents, importFrom, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

const password = sourcePassword.fastPasswordHash;
const time = 1_760_000_000;
const future = 4_000_000_000;

const plan = { price_amount: 9.99, currency: 'USD', duration_unit: 'day', duration_value: 30, enabled: 1 } as const;
const paid = { status: 'success', create_time: time, complete_time: time + 60 } as const;

/** A reseller: alice has plans and paid orders, bob has referral rewards. */
function reseller(): SourceDatabase {
  const source = new SourceDatabase('new-api');
  source.add(
    'users',
    { id: 1, username: 'root', role: role.root, password },
    { id: 5, username: 'alice', password, quota: 2_500_000, used_quota: 250, group: 'pro' },
    { id: 6, username: 'bob', password, quota: 10, aff_quota: 700, aff_history: 900 },
  );
  source.add('options', { key: 'QuotaPerUnit', value: '500000' });
  source.add(
    'subscription_plans',
    { ...plan, id: 1, title: 'Pro', total_amount: 900, upgrade_group: 'pro', sort_order: 3, max_purchase_per_user: 2 },
    { ...plan, id: 2, title: '月卡（日）', currency: 'CNY', total_amount: 100, quota_reset_period: 'daily' },
    {
      ...{ ...plan, id: 3, title: 'Pro', currency: 'XAF', enabled: 0, total_amount: 0, allow_wallet_overflow: 0 },
      ...{ duration_unit: 'custom', custom_seconds: 90_000, quota_reset_period: 'custom' },
      quota_reset_custom_seconds: 18_000,
    },
  );
  const owned = { user_id: 5, start_time: time, end_time: future, status: 'active' };
  source.add(
    'user_subscriptions',
    {
      ...{ ...owned, id: 1, plan_id: 1, amount_total: 900, amount_used: 20 },
      ...{ upgrade_group: 'pro', prev_user_group: 'vip' },
    },
    { ...owned, id: 2, plan_id: 2, amount_total: 100, amount_used: 99, next_reset_time: time + 1 },
    { ...owned, id: 3, plan_id: 2, amount_total: 100, amount_used: 40, next_reset_time: future },
    { ...owned, id: 4, plan_id: 1, amount_total: 900, status: 'cancelled' },
    { ...owned, id: 5, plan_id: 1, amount_total: 900, end_time: time + 5 },
  );
  source.add(
    'top_ups',
    { ...paid, id: 1, user_id: 5, amount: 2, money: 14.6, trade_no: 'USR5NO1', payment_method: 'alipay' },
    { ...paid, id: 2, user_id: 5, amount: 3, money: 2.7, trade_no: 'ref_2', payment_provider: 'stripe' },
    { ...paid, id: 3, user_id: 5, amount: 4000, money: 1, trade_no: 'ref_3', payment_method: 'creem' },
    { ...paid, id: 4, user_id: 5, amount: 0, money: 9.99, trade_no: 'SUB1', payment_method: 'stripe' },
    { ...paid, id: 5, user_id: 5, amount: 7, money: 7, trade_no: 'USR5NO5', status: 'pending' },
    { ...paid, id: 6, user_id: 99, amount: 7, money: 7, trade_no: 'USR9NO6' },
  );
  source.add(
    'subscription_orders',
    { ...paid, id: 1, user_id: 5, plan_id: 1, money: 9.99, trade_no: 'SUB1', payment_provider: 'stripe' },
    { ...paid, id: 2, user_id: 5, plan_id: 1, money: 9.99, trade_no: 'SUB2', payment_provider: 'balance' },
  );
  return source;
}

const windows = (period: string, hours: number, amount: number) => JSON.stringify([{ period, hours, amount }]);

test('imports plans, running plans of users, completed orders and referral shares once', async () => {
  using source = reseller();
  await using stored = await createMigratedDatabase();
  const dry = await importFrom(source, stored, { isDryRun: true });
  const lines = await importFrom(source, stored);
  expect(dry.slice(0, -1)).toEqual(lines.slice(0, -1));
  expect(lines).toEqual(
    expect.arrayContaining([
      'plans: 3 read, 3 to import, 0 already imported, 0 skipped',
      '  plan 2 "月卡（日）" is renamed to "月卡 日"',
      '  plan 3 "Pro" lets its users continue with their balance when it is used up',
      '  plan 3 "Pro" is not for sale, because the currency "xaf" is not supported',
      '  plan 3 "Pro" is valid for 2 days (90000 seconds)',
      '  plan 3 "Pro" has a limit of 1000000000000000 points, the maximum',
      '  plan 3 "Pro" is renamed to "Pro 2" because the name is taken',
      'plans of users: 5 read, 3 to import, 0 already imported, 2 skipped',
      '  2 skipped: not valid any more',
      'orders: 7 read, 4 to import, 0 already imported, 3 skipped',
      '  order 6 skipped: belongs to a user who is skipped',
      '  1 skipped: not completed',
      '  1 skipped: paid from the balance',
      '  user 6 "bob" has 700 points of referral shares to transfer to the balance',
    ]),
  );
  const before = await databaseContents(stored);
  expect(before['plans']).toMatchObject([
    {
      ...{ name: 'Pro', price: 999, currency: 'usd', days: 30, windows: windows('all', 0, 900), upgrade_group: 'pro' },
      ...{ max_per_user: 2, enabled: 1, sort: -3, recurring: 0 },
    },
    { name: '月卡 日', price: 999, currency: 'cny', windows: windows('day', 0, 100) },
    { name: 'Pro 2', price: 0, days: 2, windows: windows('hours', 5, 1e15), enabled: 0 },
  ]);
  expect(before['orders']).toMatchObject([
    { number: 'USR5NO1', provider: 'imported', method: 'alipay', currency: 'cny', amount: 1460, quota: 1_000_000 },
    { number: 'ref_2', method: 'stripe', currency: 'usd', amount: 270, quota: 1_350_000, credited_quota: 1_350_000 },
    { number: 'ref_3', method: 'creem', currency: 'usd', amount: 100, quota: 4000, state: 'credited' },
    { number: 'SUB1', currency: 'usd', amount: 999, quota: 0, plan_name: 'Pro', plan_id: 0, paid_time: time + 60 },
  ]);
  const [, alice] = before['users'] as { id: number }[];
  expect(alice).toMatchObject({ group: 'vip', quota: 2_500_000, credited: 2_500_250, budgeted_quota: 60 });
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  await importFrom(source, stored);
  expect(await databaseContents(stored)).toEqual(before);
});

test('users see imported plans with their usage, and imported shares and orders can be transferred and refunded', async () => {
  using source = reseller();
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  await using app = await startTestApp({ on: stored });
  await app.database
    .updateTable('users')
    .set({ password_hash: fastPasswordHash('correct horse') })
    .execute();
  const alice = await app.signedIn('alice', 'correct horse');
  const own = await alice.call(ownPlanApi.own);
  expect(own.map(({ windows }) => windows.map(({ amount, used }) => [amount, used]))).toEqual([
    [[900, 20]],
    [[100, 0]],
    [[100, 40]],
  ]);
  const bob = await app.signedIn('bob', 'correct horse');
  expect(await bob.call(referralApi.read)).toMatchObject({ available: 700, waiting: 0 });
  expect(await bob.call(referralApi.transfer, { body: { quota: 700 } })).toMatchObject({ available: 0 });
  const admin = await app.as('admin');
  const [order] = await admin.call(orderApi.list, { query: { keyword: 'USR5NO1', provider: 'imported' } });
  const id = order?.id ?? 0;
  expect(await admin.call(orderApi.check, { params: { id } })).toMatchObject({ state: 'credited' });
  const refunded = await admin.call(orderApi.refund, { params: { id }, body: { amount: 1460, note: 'wrong' } });
  expect(refunded).toMatchObject({ state: 'refunded', credited_quota: 0 });
  const users = await app.database
    .selectFrom(currentTable(app.database, 'users'))
    .select(['username', 'quota'])
    .where('username', 'in', ['alice', 'bob'])
    .orderBy('id')
    .execute();
  expect(users).toEqual([
    { username: 'alice', quota: 1_500_000 },
    { username: 'bob', quota: 710 },
  ]);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, budget_drift: 0 });
});

test('versions without tables or columns of payments are imported', async () => {
  using source = reseller();
  source.run('drop table subscription_orders');
  source.run('alter table subscription_plans drop column total_amount');
  source.run('alter table user_subscriptions drop column amount_total');
  source.run('alter table top_ups drop column payment_provider');
  source.run('alter table users drop column aff_quota');
  await using stored = await createMigratedDatabase();
  const lines = await importFrom(source, stored);
  expect(lines).toEqual(
    expect.arrayContaining([
      'plans: 3 read, 0 to import, 0 already imported, 3 skipped',
      '  plan 1 "Pro" skipped: has limits per model, which plans do not have here',
      '  plan of user 1 skipped: has limits per model, which plans do not have here',
      'orders: 6 read, 4 to import, 0 already imported, 2 skipped',
    ]),
  );
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, budget_drift: 0 });
});
