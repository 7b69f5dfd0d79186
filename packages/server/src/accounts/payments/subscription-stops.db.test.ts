import { ownPlanApi, planApi } from '@headgate/contract';
import type { StubSubscription } from '@headgate/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, clock, root, sendStripe } = scene;

afterEach(() => expectBalancedLedger(app.database));

type Client = Awaited<ReturnType<typeof scene.signedInUser>>['client'];

async function buy(client: Client, planId: number) {
  const { number } = await client.call(ownPlanApi.buy, { body: { plan_id: planId, provider: 'stripe' } });
  await sendStripe(stripe.pay(number, clock.seconds));
  return stripe.subscriptionOf(number);
}

let names = 0;
async function subscribe() {
  const { client } = await scene.signedInUser();
  names += 1;
  const windows = [{ period: 'all' as const, amount: 1000 }];
  const body = { name: `Monthly ${names}`, price: 990, days: 30, windows, recurring: true };
  const plan = await root.call(planApi.create, { body });
  return { client, plan, subscription: await buy(client, plan.id) };
}

const send = (type: string, object: object) => sendStripe(stripe.sign(type, object, clock.seconds));

/** Pays a renewal with a payment that can be refunded. */
async function renew(subscription: StubSubscription) {
  const invoice = subscription.renew();
  await send('invoice.paid', subscription.invoiceObject(invoice));
  await send('invoice_payment.paid', subscription.paymentObject(invoice));
  return invoice;
}

async function failRenewal(subscription: StubSubscription): Promise<void> {
  clock.seconds = subscription.last.end + 3600;
  await send('invoice.payment_failed', subscription.invoiceObject(subscription.renew(false)));
}

describe('a subscription is stopped at the provider', () => {
  it('after a refund of its last period, but not of an earlier one', async () => {
    const { subscription } = await subscribe();
    const first = await renew(subscription);
    const last = await renew(subscription);
    await send('charge.refunded', subscription.chargeObject(first, 990));
    const checks = () => stripe.received.filter(({ path }) => path.endsWith(subscription.id)).length;
    const before = checks();
    await expect.poll(checks).toBeGreaterThan(before);
    expect(subscription.cancelAtPeriodEnd).toBe(false);
    await send('charge.refunded', subscription.chargeObject(last, 990));
    await expect.poll(() => subscription.cancelAtPeriodEnd).toBe(true);
  });

  it('after a dispute, once the provider can be reached', async () => {
    const { subscription } = await subscribe();
    const last = await renew(subscription);
    stripe.failure = 500;
    const before = stripe.received.length;
    await send('charge.dispute.created', subscription.disputeObject(last, 'needs_response'));
    await expect.poll(() => stripe.received.length).toBeGreaterThan(before);
    stripe.failure = 0;
    expect(subscription.cancelAtPeriodEnd).toBe(false);
    await expect
      .poll(() => {
        clock.seconds += 300;
        return subscription.cancelAtPeriodEnd;
      })
      .toBe(true);
  });

  it('with its unpaid invoice, when the user buys the plan again after a failed renewal', async () => {
    const { client, plan, subscription } = await subscribe();
    await failRenewal(subscription);
    clock.seconds += 6 * 3600;
    expect(await client.call(ownPlanApi.own)).toEqual([]);
    const next = await buy(client, plan.id);
    await expect.poll(() => subscription.status).toBe('canceled');
    expect(next.status).toBe('active');
    expect(await client.call(ownPlanApi.own)).toMatchObject([{ renewal: { renews: true, payment_failed: false } }]);
  });

  it('with its unpaid invoice, when the user cancels the renewal after a failed payment', async () => {
    const { client, subscription } = await subscribe();
    await failRenewal(subscription);
    const [plan] = await client.call(ownPlanApi.own);
    await client.call(ownPlanApi.renewal, { params: { id: plan?.id ?? 0 }, body: { renews: false } });
    expect(subscription.status).toBe('canceled');
    expect(await client.call(ownPlanApi.own)).toEqual([]);
  });
});
