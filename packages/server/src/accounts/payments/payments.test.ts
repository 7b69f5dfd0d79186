import { orderApi, paymentApi } from '@headgate/contract';
import { stripeSecrets, stripeSignature } from '@headgate/testkit';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, clock, root, rowOf, buy, order, callbacksOf, sendStripe, setOption } = scene;
const { user, client } = await scene.signedInUser();
/** Quota points worth ten dollars. */
const tenDollars = 5_000_000;
const official = new Stripe(stripeSecrets.key);

const balance = async () => (await rowOf(user.id)).quota;
const verdicts = async (number: string) => (await callbacksOf(number)).map(({ verdict }) => verdict);

afterEach(() => expectBalancedLedger(app.database));

describe('payment offers', () => {
  it('lists the amounts of each provider with bonus and group price', async () => {
    const [card, form] = await client.call(paymentApi.offers);
    expect(card).toEqual({
      provider: 'stripe',
      methods: [],
      currency: 'usd',
      amounts: [
        { cents: 500, bonus: 0, amount: 500, quota: 2_500_000, bonus_quota: 0 },
        { cents: 1000, bonus: 0, amount: 1000, quota: 5_000_000, bonus_quota: 0 },
        { cents: 2000, bonus: 10, amount: 2000, quota: 11_000_000, bonus_quota: 1_000_000 },
      ],
    });
    expect(form).toMatchObject({ provider: 'epay', methods: ['alipay', 'wxpay'], currency: 'cny' });
    expect(form?.amounts[1]?.amount).toBe(7200);
    await setOption('TopUpGroupRatio', '{"vip":0.9}');
    const { client: vip } = await scene.signedInUser({ group: 'vip,default' });
    expect((await vip.call(paymentApi.offers))[0]?.amounts[1]?.amount).toBe(900);
  });

  it('rejects amounts, methods and providers that are not offered', async () => {
    const send = (body: object) => client.send(paymentApi.create, { body });
    for (const body of [
      { provider: 'stripe', cents: 999 },
      { provider: 'stripe', cents: 1000, method: 'alipay' },
      { provider: 'epay', cents: 1000, method: 'cash' },
      { provider: 'paypal', cents: 1000 },
    ])
      expect((await send(body)).status, JSON.stringify(body)).toBe(400);
    await setOption('EpayEnabled', 'false');
    const { body } = await send({ provider: 'epay', cents: 1000, method: 'alipay' });
    expect(body).toMatchObject({ success: false, message: 'This payment provider is not available' });
    await setOption('EpayEnabled', 'true');
  });
});

describe('Stripe', () => {
  it('[A10.5] sends the same checkout as the official library', async () => {
    const { number } = await buy(client);
    const sent = stripe.received.findLast(({ path }) => path === '/v1/checkout/sessions');
    const row = await order(number);
    const { hostname: host, port } = new URL(stripe.url);
    const library = new Stripe(stripeSecrets.key, { host, port: Number(port), protocol: 'http', maxNetworkRetries: 0 });
    const back = `https://gateway.example.com/topup?order=${number}`;
    const session = await library.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          { quantity: 1, price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'Headgate $10' } } },
        ],
        client_reference_id: number,
        metadata: { order: number },
        payment_intent_data: { metadata: { order: number } },
        success_url: back,
        cancel_url: back,
        expires_at: row.created_time + 7200,
        adaptive_pricing: { enabled: false },
      },
      { idempotencyKey: 'library' },
    );
    expect(sent?.headers['idempotency-key']).toBe(number);
    expect(sent?.form).toEqual(stripe.received.at(-1)?.form);
    expect(session.metadata).toEqual({ order: number });
    expect(row).toMatchObject({ state: 'pending', account_id: user.id, amount: 1000, quota: tenDollars });
  });

  it('credits a paid order once, with a log entry', async () => {
    const before = await balance();
    const { number } = await buy(client);
    const event = stripe.pay(number);
    expect(official.webhooks.constructEvent(event.body, event.signature, stripeSecrets.webhook).type).toBe(
      'checkout.session.completed',
    );
    for (let time = 0; time < 3; time += 1) expect((await sendStripe(event)).status).toBe(200);
    expect(await balance()).toBe(before + tenDollars);
    expect(await order(number)).toMatchObject({ state: 'credited', credited_quota: tenDollars });
    expect(await verdicts(number)).toEqual(['unchanged', 'unchanged', 'credited']);
    const [log] = (await scene.logsOf(user.id)).slice(-1);
    expect(log).toMatchObject({
      type: 1,
      quota: tenDollars,
      content: `Paid 10.00 USD for $10.000000, order ${number}`,
    });
  });

  it('accepts signatures of the official library, and of both secrets during a rotation', async () => {
    await setOption('StripeWebhookSecret', 'whsec_new,whsec_gateway');
    for (const secret of ['whsec_new', 'whsec_gateway']) {
      const { number } = await buy(client);
      const { body } = stripe.pay(number);
      const signature = official.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: clock.seconds });
      expect((await sendStripe({ body, signature })).status).toBe(200);
      expect((await order(number)).state).toBe('credited');
    }
    await setOption('StripeWebhookSecret', stripeSecrets.webhook);
  });

  it('rejects forged and late callbacks and stores them with the reason', async () => {
    const before = await balance();
    const { number } = await buy(client);
    const { body, signature } = stripe.pay(number);
    const sign = (secret: string, time = clock.seconds) => stripeSignature(body, secret, time);
    const forged = [
      { body, signature: '' },
      { body, signature: sign('whsec_other') },
      { body, signature: sign('') },
      { body: body.replace('1000', '9000'), signature },
      { body, signature: signature.replace(/\d+/, (time) => String(Number(time) + 1)) },
      { body, signature: signature.replace('v1=', 'v0=') },
      { body, signature: sign(stripeSecrets.webhook, clock.seconds - 301) },
      { body, signature: sign(stripeSecrets.webhook, clock.seconds + 301) },
    ];
    for (const one of forged) expect(await sendStripe(one)).toEqual({ status: 400, text: 'fail' });
    expect(await balance()).toBe(before);
    expect(await verdicts(number)).toEqual([]);
    const kept = await root.call(orderApi.callbacks, { query: { size: 8 } });
    expect(kept.map(({ detail }) => detail)).toEqual([
      ...Array(2).fill('the callback is too old'),
      ...Array(5).fill('no signature matches'),
      'the signature has no time',
    ]);
  });

  it('rejects callbacks while the webhook secret is empty', async () => {
    const { number } = await buy(client);
    const { body } = stripe.pay(number);
    await setOption('StripeEnabled', 'false');
    await setOption('StripeWebhookSecret', '');
    for (const secret of ['', stripeSecrets.webhook])
      expect((await sendStripe({ body, signature: stripeSignature(body, secret, clock.seconds) })).status).toBe(400);
    expect((await order(number)).state).toBe('pending');
    await setOption('StripeWebhookSecret', stripeSecrets.webhook);
    await setOption('StripeEnabled', 'true');
  });

  it.each([
    ['wrong_amount', { amount_total: 999 }],
    ['wrong_amount', { currency: 'jpy' }],
    ['ignored', { payment_status: 'unpaid' }],
    ['unknown_order', { metadata: { order: 'none' } }],
  ] as const)('does not credit a payment with verdict %s for %j', async (verdict, change) => {
    const before = await balance();
    const { number } = await buy(client);
    stripe.pay(number);
    const object = { ...stripe.sessionObject(stripe.sessionOf(number)), ...change };
    expect((await sendStripe(stripe.sign('checkout.session.completed', object))).status).toBe(200);
    expect(await balance()).toBe(before);
    const [callback] = await root.call(orderApi.callbacks, { query: { size: 1 } });
    expect(callback?.verdict).toBe(verdict);
  });

  it('deducts points for refunds and disputes, even below zero, and restores them when a dispute is won', async () => {
    const { user: buyer, client: other } = await scene.signedInUser();
    const { number } = await buy(other);
    await sendStripe(stripe.pay(number));
    await app.database
      .updateTable('users')
      .set({ quota: 1_000_000, used_quota: 4_000_000, unlogged_quota: 4_000_000 })
      .where('id', '=', buyer.id)
      .execute();
    await sendStripe(stripe.refund(number, 250));
    expect((await rowOf(buyer.id)).quota).toBe(-250_000);
    expect((await order(number)).state).toBe('credited');
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    expect((await rowOf(buyer.id)).quota).toBe(-4_000_000);
    expect(await order(number)).toMatchObject({ state: 'disputed', credited_quota: 0 });
    await sendStripe(stripe.dispute(number, 'closed', 'won'));
    expect((await rowOf(buyer.id)).quota).toBe(-250_000);
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    await sendStripe(stripe.refund(number, 1000));
    expect((await rowOf(buyer.id)).quota).toBe(-4_000_000);
    expect((await order(number)).state).toBe('refunded');
  });

  it('applies refunds and disputes that arrive before the payment', async () => {
    const before = await balance();
    const { number } = await buy(client);
    const paid = stripe.pay(number);
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    await sendStripe(stripe.refund(number, 400));
    await sendStripe(paid);
    expect(await order(number)).toMatchObject({ state: 'disputed', refunded_amount: 400, credited_quota: 0 });
    expect(await balance()).toBe(before);
  });

  it('marks the order as failed if the checkout cannot be created, but still credits a payment', async () => {
    const { client: other } = await scene.signedInUser();
    stripe.failure = 500;
    const failed = await other.send(paymentApi.create, { body: { provider: 'stripe', cents: 1000 } });
    stripe.failure = 0;
    expect(failed.body).toMatchObject({ success: false, message: expect.stringContaining('did not respond') });
    const [own] = await other.call(paymentApi.own, { query: {} });
    expect(own?.state).toBe('failed');
  });
});

describe('the callback URL', () => {
  it('can be tested from the gateway', async () => {
    expect(await root.call(orderApi.selfTest, { body: { provider: 'stripe' } })).toMatchObject({ ok: false });
    await setOption('ServerAddress', app.url);
    expect(await root.call(orderApi.selfTest, { body: { provider: 'stripe' } })).toEqual({
      ok: true,
      url: scene.callbackUrl('stripe'),
      reason: '',
    });
  });

  it('returns 404 for unknown providers and 413 for large bodies', async () => {
    expect((await fetch(`${app.url}/api/payment/callback/paypal`, { method: 'POST' })).status).toBe(404);
    const body = 'x'.repeat(2_000_000);
    expect((await fetch(scene.callbackUrl('stripe'), { method: 'POST', body })).status).toBe(413);
  });

  it('callbacks, errors and options contain no secrets', async () => {
    const shown = JSON.stringify([
      await root.call(orderApi.callbacks, { query: { size: 100 } }),
      await root.request('GET', '/api/option/'),
    ]);
    for (const secret of ['sk_test_gateway', 'whsec_gateway', 'epay-merchant-key']) expect(shown).not.toContain(secret);
  });
});
