import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { ReferralRepository } from '../referrals/referral-repository.ts';
import { OrderRepository } from './order-repository.ts';
import { SubscriptionRepository } from './subscription-repository.ts';

// The app's own queries start after an hour.
const { database } = await useTestApp({ paymentTiming: { everyMs: 3_600_000 } });

const now = 1_900_000_000;
const hour = 3600;
const year = 365 * 24 * hour;
const leaseMs = 60_000;

/** Sets columns of a table's only row, and returns true if it was then leased. */
async function setAndLease(
  table: 'orders' | 'subscriptions',
  lease: () => Promise<unknown>,
  columns: { readonly next_check_time?: number; readonly leased_ms?: number; readonly period_end?: number },
): Promise<boolean> {
  if (Object.keys(columns).length > 0) await database.updateTable(table).set(columns).execute();
  return (await lease()) !== undefined;
}

describe('[A73.6] after the clock was set back', () => {
  it('leases orders that are due or leased in the far future, once', async () => {
    const orders = new OrderRepository(database);
    const { id } = await orders.insert({
      ...{ number: 'n', account_id: 1, created_by: 1, provider: 'stripe', method: '', currency: 'usd', amount: 100 },
      ...{
        quota: 1,
        bonus_quota: 0,
        price: '{}',
        state: 'pending',
        created_time: now + year,
        checked_time: now + year,
      },
    });
    const isLeased = (columns: object) => setAndLease('orders', () => orders.lease(now, leaseMs), columns);
    expect(await isLeased({ next_check_time: now + 25 * hour, leased_ms: 0 })).toBe(false);
    expect(await isLeased({ next_check_time: now + year })).toBe(true);
    expect(await isLeased({})).toBe(false);
    expect(await isLeased({ next_check_time: now, leased_ms: Date.now() + year * 1000 })).toBe(true);
    expect(await isLeased({})).toBe(false);
    const check = () => orders.noteCheck(id, { now, after: now - 10 });
    expect([await check(), await check()]).toEqual([true, false]);
  });

  it('does not count failed orders of the far future as open', async () => {
    const count = async (created_time: number) => {
      await database.updateTable('orders').set({ state: 'failed', created_time }).execute();
      return database
        .transaction()
        .execute((inside) => new OrderRepository(inside).countOpenLocked(1, { failedSince: now - hour, now }));
    };
    expect([await count(now), await count(now - hour), await count(now + year)]).toEqual([1, 0, 0]);
  });

  it('restarts the waiting period of a referral share', async () => {
    const referrals = new ReferralRepository(database);
    const share = { inviter_id: 1, invited_id: 2, full_quota: 5, cap: 0, quota: 5 };
    const add = (order_id: number, created_time: number) =>
      referrals.insert({ ...share, order_id, created_time, available_time: created_time + 7 * 24 * hour });
    await add(1, now + year);
    await add(2, now - 8 * 24 * hour);
    await referrals.limitWaits(1, now);
    expect(await referrals.shareSums(1, now)).toEqual({ waiting: 5, available: 5 });
    expect(await referrals.shareSums(1, now + 7 * 24 * hour)).toEqual({ waiting: 0, available: 10 });
  });

  it('leases subscriptions that are due or leased later than possible, once', async () => {
    const subscriptions = new SubscriptionRepository(database);
    await subscriptions.insert({
      ...{ account_id: 1, order_id: 1, provider: 'stripe', provider_id: 's', state: 'active', renews: 1 },
      ...{ period_end: 0, event_time: 0, created_time: now, next_check_time: 0 },
    });
    const isLeased = (columns: object) =>
      setAndLease('subscriptions', () => subscriptions.lease(now, leaseMs), columns);
    const period_end = now + year;
    expect(await isLeased({ period_end, next_check_time: period_end + 2 * hour, leased_ms: 0 })).toBe(false);
    expect(await isLeased({ period_end: now - hour, next_check_time: now + 6 * hour })).toBe(false);
    expect(await isLeased({ next_check_time: now + year })).toBe(true);
    expect(await isLeased({})).toBe(false);
    expect(await isLeased({ next_check_time: now, leased_ms: Date.now() + year * 1000 })).toBe(true);
    expect(await isLeased({})).toBe(false);
  });
});
