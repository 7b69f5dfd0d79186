import {
  orderApi,
  ownPlanApi,
  paymentApi,
  planApi,
  redemptionApi,
  redemptionExportApi,
  referralApi,
  tokenApi,
} from '@headgate/contract';
import { describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';

const scene = await usePayments();
const { app, root, buy, order, clock } = scene;
const { database } = app;
/** Value written by nodes of a later version during a rolling upgrade. */
const later = 'of_a_later_version' as never;

describe('[A57.4] orders with unknown values', () => {
  it.each(['provider', 'currency', 'state'] as const)('break no list: %s', async (column) => {
    const { user, client } = await scene.signedInUser();
    const [{ number }, { number: other }] = [await buy(client), await buy(client)];
    const { id } = await order(other);
    await database
      .updateTable('orders')
      .set({ [column]: later })
      .where('id', '=', id)
      .execute();
    const numbers = (rows: readonly { readonly number: string }[]) => rows.map((row) => row.number);
    expect(numbers(await client.call(paymentApi.own, { query: {} }))).toEqual([number]);
    expect(numbers(await root.call(orderApi.list, { query: { account_id: user.id } }))).toEqual([number]);
    const hidden = [
      await client.send(paymentApi.ownOne, { params: { number: other } }),
      await root.send(orderApi.get, { params: { id } }),
    ];
    for (const { body } of hidden) expect(body).toMatchObject({ success: false, message: 'Not found' });
  });

  it('are not queried at another provider', async () => {
    const { client } = await scene.signedInUser();
    const [{ number }, { number: other }] = [await buy(client), await buy(client)];
    const isDue = (next_check_time: number) => database.updateTable('orders').set({ next_check_time });
    const unknown = isDue(clock.seconds - 20).set({ provider: later });
    await unknown.where('number', '=', other).execute();
    await isDue(clock.seconds - 10)
      .where('number', '=', number)
      .execute();
    await expect.poll(async () => (await order(number)).checked_time).toBe(clock.seconds);
    expect((await order(other)).checked_time).toBe(0);
  });

  it('break no list of callbacks, plans and payouts', async () => {
    const { user, client } = await scene.signedInUser();
    const callback = {
      ...{ provider: later, order_id: 0, number: '', source: 'callback' as const, event: 'e', kind: 'paid' },
      ...{ payment_id: 'p', amount: 1, currency: 'usd', verdict: 'applied' as const, detail: '', created_time: 1 },
    };
    const known = { ...callback, provider: 'stripe' as const };
    const callbacks = [callback, { ...known, verdict: later }, { ...known, source: later }, known];
    await database.insertInto('payment_callbacks').values(callbacks).execute();
    expect(await root.call(orderApi.callbacks, { query: {} })).toHaveLength(1);
    const windows = [{ period: 'day' as const, amount: 1000 }];
    const plan = await root.call(planApi.create, { body: { name: 'Later', price: 990, days: 30, windows } });
    await database.updateTable('plans').set({ currency: later }).where('id', '=', plan.id).execute();
    expect((await root.call(planApi.list)).map(({ id }) => id)).not.toContain(plan.id);
    expect((await client.call(ownPlanApi.offers)).map(({ id }) => id)).not.toContain(plan.id);
    const payout = {
      user_id: user.id,
      kind: 'payout' as const,
      quota: 1,
      details: '',
      created_time: 1,
      closed_time: 0,
    };
    await database
      .insertInto('referral_withdrawals')
      .values({ ...payout, state: later })
      .execute();
    expect(await root.call(referralApi.payouts, { query: {} })).toEqual([]);
  });
});

describe('secrets that cannot be decrypted', () => {
  const damaged = 'v1:bm90IHNlYWxlZCB3aXRoIHRoaXMga2V5IGF0IGFsbA==';

  it.each([damaged, 'x', ''])('redemption codes are listed and exported without their code: %j', async (sealed) => {
    await root.call(redemptionApi.create, { body: { name: 'damaged', quota: 5, count: 2 } });
    const [row, other] = await root.call(redemptionApi.list, { query: {} });
    const id = row?.id ?? 0;
    await database.updateTable('redemptions').set({ key_sealed: sealed }).where('id', '=', id).execute();
    const [seen, next] = await root.call(redemptionApi.list, { query: {} });
    expect(seen).toMatchObject({ id, key: '', quota: 5 });
    expect(next).toEqual(other);
    expect(await root.call(redemptionApi.get, { params: { id } })).toMatchObject({ key: '' });
    const file = await root.send(redemptionExportApi.all);
    expect([file.status, file.text]).toEqual([200, expect.stringContaining(String(other?.key))]);
    expect(file.text).toMatch(/Complete,\d+ of \d+ rows/);
  });

  it('API tokens and payouts are listed', async () => {
    const { user, client } = await scene.signedInUser();
    const { id } = await client.call(tokenApi.create, { body: { name: 'damaged', unlimited_quota: true } });
    await database.updateTable('tokens').set({ key_sealed: damaged }).where('id', '=', id).execute();
    expect(await client.call(tokenApi.list, { query: {} })).toMatchObject([{ id, key: '' }]);
    const payout = { user_id: user.id, kind: 'payout' as const, quota: 1, state: 'requested' as const };
    await database
      .insertInto('referral_withdrawals')
      .values({ ...payout, details: damaged, created_time: 1, closed_time: 0 })
      .execute();
    expect(await root.call(referralApi.payouts, { query: {} })).toMatchObject([{ quota: 1, details: '' }]);
  });
});
