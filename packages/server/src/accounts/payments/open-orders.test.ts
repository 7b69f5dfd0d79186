import { orderApi, paymentApi, role } from '@headgate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { checkDelays } from './reconciler.ts';

const scene = await usePayments();
const { app, stripe, epay, clock, root, rowOf, buy, order, callbacksOf, sendEpay } = scene;
const { user, client } = await scene.signedInUser();
/** Quota points worth ten dollars. */
const tenDollars = 5_000_000;

const balance = async () => (await rowOf(user.id)).quota;

afterEach(() => expectBalancedLedger(app.database));

describe('queries for open orders', () => {
  const later = (seconds: number) => {
    clock.seconds += seconds;
  };

  it('credits a payment without a callback at the scheduled time', async () => {
    const { number } = await buy(client);
    stripe.pay(number);
    later(checkDelays[0] - 1);
    expect((await order(number)).checked_time).toBe(0);
    later(1);
    await expect.poll(async () => (await order(number)).state).toBe('credited');
    expect(await balance()).toBe(tenDollars);
    expect(await callbacksOf(number)).toMatchObject([{ source: 'query', verdict: 'credited' }]);
  });

  it('expires an unpaid order after the last query, and still credits a later payment', async () => {
    const { client: other, user: buyer } = await scene.signedInUser();
    const { number, url } = await buy(other, { provider: 'epay' });
    await fetch(url);
    for (const delay of checkDelays) {
      clock.seconds = Math.max(clock.seconds, (await order(number)).created_time + delay);
      await expect.poll(async () => (await order(number)).checked_time).toBe(clock.seconds);
    }
    await expect.poll(async () => (await order(number)).state).toBe('expired');
    await sendEpay(epay.pay(number));
    expect((await rowOf(buyer.id)).quota).toBe(tenDollars);
  });

  it('expires an order that was created before the clock was set back', async () => {
    const { client: other } = await scene.signedInUser();
    const days = 86_400;
    later(365 * days);
    const { number } = await buy(other, { provider: 'epay' });
    later(-365 * days);
    const start = clock.seconds;
    await expect
      .poll(async () => {
        later(3600);
        return (await order(number)).state;
      })
      .toBe('expired');
    expect(clock.seconds).toBeLessThan(start + 30 * days);
  });

  it('are sent immediately for admins and for the buyer', async () => {
    const { number } = await buy(client);
    expect((await client.call(paymentApi.checkOwn, { params: { number } })).state).toBe('pending');
    stripe.pay(number);
    const { id } = await order(number);
    expect((await root.call(orderApi.check, { params: { id } })).state).toBe('credited');
    const stranger = await app.as('user');
    for (const endpoint of [paymentApi.ownOne, paymentApi.checkOwn])
      expect((await stranger.send(endpoint, { params: { number } })).body).toMatchObject({ success: false });
  });

  it('[A10.6] end after a week for an order that its provider no longer knows', async () => {
    const { client: other } = await scene.signedInUser();
    const { number } = await buy(other);
    stripe.failure = 404;
    later(7 * 86_400);
    await expect.poll(async () => (await order(number)).state).toBe('expired');
    stripe.failure = 0;
  });

  it('[A73.6] find the payment of an order from before the clock was set back, then follow the schedule', async () => {
    const { client: other } = await scene.signedInUser();
    const year = 365 * 86_400;
    clock.seconds += year;
    const [{ number }, { number: unpaid }] = [await buy(other), await buy(other)];
    stripe.pay(number);
    clock.seconds -= year;
    await expect.poll(async () => (await order(number)).state).toBe('credited');
    await expect.poll(async () => (await order(unpaid)).next_check_time).toBe(clock.seconds + checkDelays[0]);
  });

  it('retries an order while the provider is unreachable', async () => {
    const { number } = await buy(client);
    stripe.pay(number);
    stripe.failure = 503;
    later(checkDelays[0]);
    await expect.poll(async () => (await order(number)).next_check_time).toBeGreaterThan(clock.seconds);
    expect((await order(number)).state).toBe('pending');
    stripe.failure = 0;
    later(checkDelays[1]);
    await expect.poll(async () => (await order(number)).state).toBe('credited');
  });
});

describe('refunds recorded by an admin', () => {
  it('deduct the points once', async () => {
    const { client: other, user: buyer } = await scene.signedInUser();
    const { number, url } = await buy(other, { provider: 'epay' });
    await fetch(url);
    const { id } = await order(number);
    const refund = (amount: number) =>
      root.send(orderApi.refund, { params: { id }, body: { amount, note: 'asked for it' } });
    expect((await refund(7200)).body).toMatchObject({ success: false, message: 'This order is not paid' });
    await sendEpay(epay.pay(number));
    expect((await refund(3600)).body).toMatchObject({ data: { state: 'credited', note: 'asked for it' } });
    expect((await rowOf(buyer.id)).quota).toBe(tenDollars / 2);
    expect((await refund(3600)).status).toBe(400);
    expect((await refund(7201)).status).toBe(400);
    const admin = await app.as('admin');
    await app.database.updateTable('users').set({ role: role.admin }).where('id', '=', buyer.id).execute();
    const body = { amount: 7200, note: 'mine' };
    expect((await admin.send(orderApi.refund, { params: { id }, body })).body).toMatchObject({ success: false });
    expect((await refund(7200)).body).toMatchObject({ data: { state: 'refunded', credited_quota: 0 } });
    expect((await rowOf(buyer.id)).quota).toBe(0);
  });
});
