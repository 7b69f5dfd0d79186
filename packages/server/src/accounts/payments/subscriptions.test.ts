import { ownPlanApi, planApi, userPlanApi } from '@headgate/contract';
import { type StubSubscription, stripeSecrets, stripeSignature } from '@headgate/testkit';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, clock, root, rowOf, order, callbacksOf, sendStripe } = scene;
const day = 86_400;
const grace = 6 * 3600;
const official = new Stripe(stripeSecrets.key);

afterEach(() => expectBalancedLedger(app.database));

type Client = Awaited<ReturnType<typeof scene.signedInUser>>['client'];
type Invoice = StubSubscription['last'];

let names = 0;
async function createPlan(terms: object = {}) {
  names += 1;
  const windows = [{ period: 'all' as const, amount: 1000 }];
  const body = { name: `Monthly ${names}`, price: 990, days: 30, windows, recurring: true, ...terms };
  return root.call(planApi.create, { body });
}

async function orderPlan(terms: object = {}) {
  const { user, client } = await scene.signedInUser();
  const plan = await createPlan(terms);
  const { number } = await client.call(ownPlanApi.buy, { body: { plan_id: plan.id, provider: 'stripe' } });
  const paid = stripe.pay(number, clock.seconds);
  return { user, client, plan, number, paid, subscription: stripe.subscriptionOf(number) };
}

async function subscribe(terms: object = {}) {
  const started = await orderPlan(terms);
  await sendStripe(started.paid);
  return started;
}

const own = (client: Client) => client.call(ownPlanApi.own);
const ordersOf = (userId: number) =>
  app.database.selectFrom('orders').selectAll().where('account_id', '=', userId).orderBy('id').execute();
const send = (type: string, object: object) => sendStripe(stripe.sign(type, object, clock.seconds));
const sendInvoice = (subscription: StubSubscription, invoice: Invoice, shape: 'current' | 'older' = 'current') =>
  send('invoice.paid', subscription.invoiceObject(invoice, { shape }));
const sendLink = (subscription: StubSubscription, invoice: Invoice) =>
  send('invoice_payment.paid', subscription.paymentObject(invoice));
const sendState = (subscription: StubSubscription, type: 'updated' | 'deleted' = 'updated') =>
  send(`customer.subscription.${type}`, subscription.object());
const setRenewal = async (client: Client, renews: boolean) => {
  const [plan] = await own(client);
  return client.send(ownPlanApi.renewal, { params: { id: plan?.id ?? 0 }, body: { renews } });
};

describe('a subscription', () => {
  it('is ordered with the same fields as with the official library', async () => {
    const { number, plan } = await subscribe();
    const sent = stripe.received.findLast(({ path }) => path === '/v1/checkout/sessions');
    const { hostname: host, port } = new URL(stripe.url);
    const library = new Stripe(stripeSecrets.key, { host, port: Number(port), protocol: 'http', maxNetworkRetries: 0 });
    const back = `https://gateway.example.com/topup?order=${number}`;
    const product_data = { name: `Headgate ${plan.name}` };
    const recurring = { interval: 'day', interval_count: 30 } as const;
    await library.checkout.sessions.create(
      {
        mode: 'subscription',
        line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 990, product_data, recurring } }],
        client_reference_id: number,
        metadata: { order: number },
        subscription_data: { metadata: { order: number } },
        success_url: back,
        cancel_url: back,
        expires_at: (await order(number)).created_time + 7200,
        adaptive_pricing: { enabled: false },
      },
      { idempotencyKey: number.slice(1) },
    );
    const libraryForm = stripe.received.at(-1)?.form ?? {};
    expect(sent?.form).toEqual(libraryForm);
  });

  it('starts with its first payment, and renews once per period', async () => {
    const { user, client, plan, number, subscription } = await subscribe();
    const start = clock.seconds;
    const renewal = { renews: true, payment_failed: false, period_end: start + 30 * day };
    expect(await own(client)).toMatchObject([{ plan_id: plan.id, ends_time: start + 30 * day + grace, renewal }]);
    expect((await sendInvoice(subscription, subscription.first)).status).toBe(200);
    expect(await own(client)).toHaveLength(1);

    clock.seconds = start + 30 * day + 3600;
    expect(await own(client)).toHaveLength(1);
    const invoice = subscription.renew();
    await Promise.all([1, 2, 3].map(() => sendInvoice(subscription, invoice)));
    const plans = await own(client);
    expect(plans).toMatchObject([{ starts_time: start + 30 * day, ends_time: start + 60 * day + grace }]);
    expect(plans[0]?.windows).toMatchObject([{ amount: 1000, used: 0 }]);
    const orders = await ordersOf(user.id);
    expect(orders.map(({ state, amount, quota }) => ({ state, amount, quota }))).toEqual([
      { state: 'credited', amount: 990, quota: 0 },
      { state: 'credited', amount: 990, quota: 0 },
    ]);
    expect(orders[1]?.number).not.toBe(number);
    expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 0 });
  });

  it.each(['current', 'older'] as const)('reads invoices of the %s API versions', async (shape) => {
    const { client, subscription } = await subscribe();
    const invoice = subscription.renew();
    const event = stripe.sign('invoice.paid', subscription.invoiceObject(invoice, { shape }), clock.seconds);
    expect(official.webhooks.constructEvent(event.body, event.signature, stripeSecrets.webhook).type).toBe(
      'invoice.paid',
    );
    await sendStripe(event);
    expect((await own(client)).at(-1)).toMatchObject({ starts_time: invoice.start });
  });

  it('is the same if the renewal arrives before the first payment', async () => {
    const { user, client, paid, subscription } = await orderPlan();
    const invoice = subscription.renew();
    await sendInvoice(subscription, invoice);
    expect(await own(client)).toHaveLength(1);
    await sendStripe(paid);
    await sendInvoice(subscription, subscription.first);
    const [first, second] = await own(client);
    expect(first?.ends_time).toBe(subscription.first.end);
    expect([second?.starts_time, second?.ends_time]).toEqual([invoice.start, invoice.end + grace]);
    expect((await ordersOf(user.id)).map(({ state }) => state)).toEqual(['credited', 'credited']);
  });

  it('is the same for renewals in any order, repeated and late', async () => {
    const { user, client, subscription } = await subscribe();
    const invoices = [subscription.renew(), subscription.renew(), subscription.renew()];
    clock.seconds += 95 * day;
    for (const invoice of [...invoices.toReversed(), ...invoices]) await sendInvoice(subscription, invoice);
    const rows = await app.database
      .selectFrom('user_plans')
      .selectAll()
      .where('user_id', '=', user.id)
      .orderBy('starts_time')
      .execute();
    const [, , , last] = subscription.invoices;
    expect(rows.map(({ starts_time, ends_time }) => [starts_time, ends_time])).toEqual(
      subscription.invoices.map((each) => [each.start, each.end + (each === last ? grace : 0)]),
    );
    expect(await own(client)).toMatchObject([{ starts_time: last?.start }]);
  });

  it('does not renew for forged, unpaid, prorated or foreign invoices, or for another amount or currency', async () => {
    const { user, client, number, subscription } = await subscribe();
    const invoice = subscription.renew();
    const object = subscription.invoiceObject(invoice);
    const forged = stripe.sign('invoice.paid', object, clock.seconds);
    const signature = stripeSignature(forged.body, 'whsec_other', clock.seconds);
    expect((await sendStripe({ body: forged.body, signature })).status).toBe(400);
    const foreign = { type: 'subscription_details', subscription_details: { subscription: 'sub_other' } };
    for (const change of [
      { amount_paid: 989 },
      { amount_paid: 0 },
      { currency: 'eur' },
      { status: 'open' },
      { billing_reason: 'subscription_update' },
      { billing_reason: 'manual' },
      { parent: foreign },
      { parent: null },
      { lines: { data: [] } },
      { lines: { data: [{ period: { start: invoice.end, end: invoice.start } }] } },
      { id: null },
    ])
      expect((await send('invoice.paid', { ...object, ...change })).status, JSON.stringify(change)).toBe(200);
    expect([(await own(client)).length, (await ordersOf(user.id)).length]).toEqual([1, 1]);
    const verdicts = (await callbacksOf(number)).map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'wrong_amount')).toHaveLength(3);
    await sendInvoice(subscription, invoice);
    // Another payment of the same period.
    await send('invoice.paid', { ...object, id: 'in_second' });
    expect((await ordersOf(user.id)).length).toBe(2);
  });
});

describe('the end of a subscription', () => {
  it('is the end of the paid period after the user cancels the renewal, who can resume it', async () => {
    const { client, user, subscription } = await subscribe();
    const [plan] = await own(client);
    const stop = await client.send(ownPlanApi.cancel, { params: { id: plan?.id ?? 0 } });
    expect(stop.body).toMatchObject({ message: 'This plan renews automatically. Cancel the renewal first' });
    const end = subscription.last.end;
    expect((await setRenewal(client, false)).body).toMatchObject({ data: { renewal: { renews: false } } });
    expect(subscription.cancelAtPeriodEnd).toBe(true);
    expect(await own(client)).toMatchObject([{ ends_time: end, renewal: { renews: false, period_end: end } }]);
    await setRenewal(client, true);
    expect(subscription.cancelAtPeriodEnd).toBe(false);
    expect(await own(client)).toMatchObject([{ ends_time: end + grace, renewal: { renews: true } }]);
    await setRenewal(client, false);
    subscription.status = 'canceled';
    await sendState(subscription, 'deleted');
    expect(await own(client)).toMatchObject([{ ends_time: end, renewal: null }]);
    expect((await setRenewal(client, true)).body).toMatchObject({ success: false });
    clock.seconds = end;
    expect(await own(client)).toEqual([]);
    const contents = (await scene.logsOf(user.id)).map(({ content }) => content);
    expect(contents.filter((text) => text.includes('renewal'))).toHaveLength(3);
  });

  it('is not changed by older or repeated states', async () => {
    const { client, subscription } = await subscribe();
    const old = stripe.sign('customer.subscription.updated', subscription.object(), clock.seconds - 10);
    subscription.cancelAtPeriodEnd = true;
    await sendState(subscription);
    await sendStripe(old);
    expect(await own(client)).toMatchObject([{ renewal: { renews: false } }]);
    await sendState(subscription, 'deleted');
    subscription.status = 'canceled';
    await sendState(subscription, 'deleted');
    subscription.status = 'active';
    subscription.cancelAtPeriodEnd = false;
    await sendState(subscription);
    expect(await own(client)).toMatchObject([{ renewal: null }]);
  });

  it('follows six hours after a period whose payment fails, until it succeeds', async () => {
    const { client, subscription } = await subscribe();
    clock.seconds = subscription.last.end + 3600;
    const invoice = subscription.renew(false);
    const failed = stripe.sign('invoice.payment_failed', subscription.invoiceObject(invoice), clock.seconds);
    await sendStripe(failed);
    expect(await own(client)).toMatchObject([{ renewal: { payment_failed: true } }]);
    clock.seconds += grace;
    expect(await own(client)).toEqual([]);
    await sendInvoice(subscription, subscription.renew());
    expect(await own(client)).toMatchObject([{ starts_time: invoice.start, renewal: { payment_failed: false } }]);
    await sendStripe(stripe.sign('invoice.payment_failed', subscription.invoiceObject(invoice), clock.seconds));
    expect(await own(client)).toMatchObject([{ renewal: { payment_failed: false } }]);
  });

  it('is set when an admin removes the plan', async () => {
    const { client, user, subscription } = await subscribe();
    const [plan] = await root.call(userPlanApi.list, { query: { user_id: user.id } });
    await root.call(userPlanApi.remove, { params: { id: plan?.id ?? 0 }, body: {} });
    expect([subscription.cancelAtPeriodEnd, await own(client)]).toEqual([true, []]);
  });
});

describe('a refund or dispute of a renewal', () => {
  it('ends the plan of its period only', async () => {
    const { client, subscription } = await subscribe();
    const invoice = subscription.renew();
    await sendInvoice(subscription, invoice);
    await sendLink(subscription, invoice);
    await send('charge.refunded', subscription.chargeObject(invoice, 990));
    expect(await own(client)).toMatchObject([{ starts_time: subscription.first.start }]);
    const next = subscription.renew();
    await sendInvoice(subscription, next, 'older');
    await send('charge.dispute.created', subscription.disputeObject(next, 'needs_response'));
    expect(await own(client)).toHaveLength(1);
    await send('charge.dispute.closed', subscription.disputeObject(next, 'won'));
    expect(await own(client)).toHaveLength(2);
  });

  it('is applied if it arrives before the renewal, its payment, or the first payment', async () => {
    const { client, user, paid, subscription } = await orderPlan();
    const invoice = subscription.renew();
    await send('charge.refunded', subscription.chargeObject(invoice, 990));
    await send('charge.refunded', subscription.chargeObject(subscription.first, 990));
    await sendLink(subscription, invoice);
    await sendInvoice(subscription, invoice);
    await sendStripe(paid);
    await sendLink(subscription, subscription.first);
    expect(await own(client)).toEqual([]);
    expect((await ordersOf(user.id)).map(({ state }) => state)).toEqual(['refunded', 'refunded']);
  });
});

describe('the reconciler of subscriptions', () => {
  it('finds renewals, refundable payments and ends whose callbacks were lost', async () => {
    const { client, user, subscription } = await subscribe();
    const invoice = subscription.renew();
    clock.seconds = subscription.first.end + 2 * 3600;
    await expect
      .poll(async () => (await ordersOf(user.id)).map(({ state }) => state))
      .toEqual(['credited', 'credited']);
    expect((await ordersOf(user.id)).map(({ charge_id }) => charge_id)).toEqual([
      subscription.first.paymentIntent,
      invoice.paymentIntent,
    ]);
    subscription.status = 'canceled';
    const ended = app.database.selectFrom('subscriptions').select('id').where('state', '=', 'ended');
    await expect
      .poll(() => {
        clock.seconds += 6 * 3600;
        return ended.where('provider_id', '=', subscription.id).execute();
      })
      .toHaveLength(1);
    clock.seconds = invoice.end;
    expect(await own(client)).toEqual([]);
  });
});
