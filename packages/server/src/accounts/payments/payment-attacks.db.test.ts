import { paymentApi } from '@headgate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, clock, buy, order, callbacksOf, rowOf, sendStripe, setOption } = scene;
/** Points of ten dollars. */
const tenDollars = 5_000_000;

afterEach(() => expectBalancedLedger(app.database));

/** Refund of another payment that references the same order, such as a second payment. */
const refundOfOther = (number: string, amount: number) =>
  stripe.sign('charge.refunded', {
    object: 'charge',
    amount,
    amount_refunded: amount,
    currency: 'usd',
    payment_intent: 'pi_other',
    metadata: { order: number },
  });

const disputeOfOther = (number: string) =>
  stripe.sign('charge.dispute.created', {
    object: 'dispute',
    amount: 1000,
    currency: 'usd',
    status: 'needs_response',
    payment_intent: 'pi_other',
    metadata: { order: number },
  });

describe('a refund or dispute of another payment', () => {
  it('[A10.2] does not deduct the quota of the order', async () => {
    const { user, client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(stripe.pay(number));
    await sendStripe(refundOfOther(number, 1000));
    await sendStripe(disputeOfOther(number));
    expect((await rowOf(user.id)).quota).toBe(tenDollars);
    expect((await order(number)).state).toBe('credited');
    expect((await callbacksOf(number)).map(({ verdict }) => verdict)).toEqual([
      'second_payment',
      'second_payment',
      'credited',
    ]);
  });

  it('[A10.2] does not reduce the quota of a payment that arrives later', async () => {
    const { user, client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(refundOfOther(number, 400));
    await sendStripe(stripe.pay(number));
    expect((await rowOf(user.id)).quota).toBe(tenDollars);
  });
});

describe('the buyer', () => {
  it('[A10.3] cannot exceed the limit on open orders by creating many concurrently', async () => {
    const { client } = await scene.signedInUser();
    const create = () => client.send(paymentApi.create, { body: { provider: 'stripe', cents: 1000 } });
    const sent = await Promise.all(Array.from({ length: 25 }, create));
    expect(sent.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(10);
  });

  it('[A10.8] is limited in creating checkouts that fail', async () => {
    const { client } = await scene.signedInUser();
    stripe.failure = 500;
    const before = stripe.received.length;
    for (let n = 0; n < 15; n += 1) await client.send(paymentApi.create, { body: { provider: 'stripe', cents: 1000 } });
    expect(stripe.received.length - before).toBe(10);
    stripe.failure = 0;
    clock.seconds += 3600;
    expect(await buy(client)).toMatchObject({ number: expect.any(String) });
  });

  it('[A10.3] causes one query to the provider when checking an order many times concurrently', async () => {
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    const { id } = stripe.sessionOf(number);
    await Promise.all(Array.from({ length: 10 }, () => client.call(paymentApi.checkOwn, { params: { number } })));
    expect(stripe.received.filter(({ path }) => path === `/v1/checkout/sessions/${id}`)).toHaveLength(1);
  });

  it('[A10.4] pays the normal price in a group whose name is an Object.prototype property', async () => {
    await setOption('TopUpGroupRatio', '{"vip":0.9}');
    const { client } = await scene.signedInUser({ group: 'constructor' });
    expect((await client.call(paymentApi.offers))[0]?.amounts[1]?.amount).toBe(1000);
  });
});
