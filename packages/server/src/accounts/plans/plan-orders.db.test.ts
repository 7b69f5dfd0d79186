import { orderApi, ownPlanApi, paymentApi, planApi, role, userPlanApi } from '@headgate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, clock, root, rowOf, order, callbacksOf, sendStripe } = scene;
const day = 86_400;

afterEach(() => expectBalancedLedger(app.database));

let names = 0;
const createPlan = (terms: object = {}) => {
  names += 1;
  const windows = [{ period: 'day' as const, amount: 1000 }];
  return root.call(planApi.create, { body: { name: `Plan ${names}`, price: 990, days: 30, windows, ...terms } });
};

type Client = Awaited<ReturnType<typeof scene.signedInUser>>['client'];
const buy = (client: Client, plan_id: number, provider: 'stripe' | 'epay' = 'stripe') =>
  client.call(ownPlanApi.buy, { body: { plan_id, provider, method: provider === 'epay' ? 'alipay' : '' } });
const own = (client: Client) => client.call(ownPlanApi.own);

describe('orders of plans', () => {
  it('grant the plan of the order once, with the terms at the time of the order, and add no quota', async () => {
    const { user, client } = await scene.signedInUser();
    const plan = await createPlan({ models: 'gpt-4o' });
    const before = await rowOf(user.id);
    const { number } = await buy(client, plan.id);
    expect(await own(client)).toEqual([]);
    await root.call(planApi.update, { body: { id: plan.id, name: 'Renamed', days: 1, price: 1, models: '' } });
    await root.call(planApi.remove, { params: { id: plan.id } });
    const event = stripe.pay(number);
    await Promise.all([1, 2, 3].map(() => sendStripe(event)));
    const held = await own(client);
    expect(held).toMatchObject([{ name: plan.name, models: 'gpt-4o', ends_time: clock.seconds + 30 * day }]);
    expect(held[0]?.windows).toMatchObject([{ period: 'day', amount: 1000, used: 0 }]);
    expect((await callbacksOf(number)).filter(({ verdict }) => verdict === 'credited')).toHaveLength(1);
    const after = await rowOf(user.id);
    expect([after.quota, after.credited]).toEqual([before.quota, before.credited]);
    expect(await order(number)).toMatchObject({ state: 'credited', amount: 990, quota: 0, plan_id: plan.id });
    const [log] = (await scene.logsOf(user.id)).slice(-1);
    expect(log?.content).toBe(`Paid 9.90 USD for the plan ${plan.name}, order ${number}`);
  });

  it('end the plan with a full refund or a dispute, and restore it when the dispute is won', async () => {
    const { user, client } = await scene.signedInUser();
    const plan = await createPlan();
    const { number } = await buy(client, plan.id);
    await sendStripe(stripe.pay(number));
    await sendStripe(stripe.refund(number, 100));
    expect(await own(client)).toHaveLength(1);
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    expect(await own(client)).toEqual([]);
    await sendStripe(stripe.dispute(number, 'closed', 'won'));
    expect(await own(client)).toHaveLength(1);
    const { id } = await order(number);
    await root.call(orderApi.refund, { params: { id }, body: { amount: 990, note: 'asked' } });
    expect(await own(client)).toEqual([]);
    const [listed] = await root.call(userPlanApi.list, { query: { user_id: user.id } });
    expect(listed).toMatchObject({ state: 'refunded', order_id: id, username: user.username });
    expect((await rowOf(user.id)).quota).toBe(0);
  });

  it('let the user cancel the plan once, without a refund, and never restore it', async () => {
    const { user, client } = await scene.signedInUser();
    const { client: stranger } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1, upgrade_group: 'vip' });
    const { number } = await buy(client, plan.id);
    await sendStripe(stripe.pay(number));
    const [held] = await own(client);
    const params = { id: held?.id ?? 0 };
    for (const foreign of [stranger, root])
      expect((await foreign.send(ownPlanApi.cancel, { params })).body).toMatchObject({ success: false });
    expect(await own(client)).toHaveLength(1);
    const [first, second] = await Promise.all([1, 2].map(() => client.send(ownPlanApi.cancel, { params })));
    const bodies = [first?.body, second?.body] as { success: boolean; message: string }[];
    expect(bodies.map(({ success }) => success).sort()).toEqual([false, true]);
    expect(bodies.find(({ success }) => !success)?.message).toBe('This plan has already ended');
    expect(await own(client)).toEqual([]);
    expect(await order(number)).toMatchObject({ state: 'credited', refunded_amount: 0 });
    const [log] = (await scene.logsOf(user.id)).slice(-1);
    expect(log?.content).toBe(`Canceled the plan ${plan.name}`);
    // Neither a dispute nor winning it changes a canceled plan.
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    await sendStripe(stripe.dispute(number, 'closed', 'won'));
    const [listed] = await root.call(userPlanApi.list, { query: { user_id: user.id } });
    expect(listed).toMatchObject({ state: 'canceled' });
    expect((await client.call(ownPlanApi.offers)).find(({ id }) => id === plan.id)).toMatchObject({ available: true });
  });

  it('do not grant a plan that was refunded before the payment arrived, or a plan of another amount', async () => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan();
    const { number } = await buy(client, plan.id);
    const paid = stripe.pay(number);
    await sendStripe(stripe.refund(number, 990));
    await sendStripe(paid);
    expect([await own(client), (await order(number)).state]).toEqual([[], 'refunded']);
  });

  it('enforce the per-user limit for concurrent orders', async () => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1 });
    const attempts = [1, 2, 3].map(() =>
      client.send(ownPlanApi.buy, { body: { plan_id: plan.id, provider: 'stripe' } }),
    );
    const results = await Promise.all(attempts);
    expect(results.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
    const offers = await client.call(ownPlanApi.offers);
    expect(offers.find(({ id }) => id === plan.id)).toMatchObject({ available: false });
    // An order of quota is still possible.
    await client.call(paymentApi.create, { body: { provider: 'stripe', cents: 500 } });
  });

  it('enforce the per-user limit when an expired order is paid', async () => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1, currency: 'cny', price: 7200 });
    const late = await buy(client, plan.id, 'epay');
    clock.seconds += 8 * day;
    await expect.poll(async () => (await order(late.number)).state).toBe('expired');
    const paid = await buy(client, plan.id, 'epay');
    for (const { url, number } of [paid, late]) {
      await scene.openEpay(url);
      await scene.sendEpay(scene.epay.pay(number));
    }
    expect(await own(client)).toHaveLength(1);
    expect([(await order(paid.number)).state, (await order(late.number)).state]).toEqual(['credited', 'paid']);
    const { id } = await order(late.number);
    await root.call(orderApi.refund, { params: { id }, body: { amount: 7200, note: 'too many' } });
    expect([await own(client), (await order(late.number)).state]).toMatchObject([[{ state: 'active' }], 'refunded']);
  });

  it('enforce the per-user limit when an expired order is paid while another one is open', async () => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1, currency: 'cny', price: 7200 });
    const late = await buy(client, plan.id, 'epay');
    clock.seconds += 8 * day;
    await expect.poll(async () => (await order(late.number)).state).toBe('expired');
    const open = await buy(client, plan.id, 'epay');
    for (const { url, number } of [late, open]) {
      await scene.openEpay(url);
      await scene.sendEpay(scene.epay.pay(number));
    }
    expect(await own(client)).toHaveLength(1);
    expect([(await order(late.number)).state, (await order(open.number)).state]).toEqual(['paid', 'credited']);
  });

  it('enforce the per-user limit when a dispute is won after the plan was bought again', async () => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1, currency: 'usd' });
    const time = () => clock.seconds;
    const first = await buy(client, plan.id);
    await sendStripe(stripe.pay(first.number, time()));
    await sendStripe(stripe.dispute(first.number, 'created', 'needs_response', time()));
    const second = await buy(client, plan.id);
    await sendStripe(stripe.pay(second.number, time()));
    await sendStripe(stripe.dispute(first.number, 'closed', 'won', time()));
    expect(await own(client)).toHaveLength(1);
    expect((await order(first.number)).state).toBe('paid');
    expect((await callbacksOf(first.number))[0]).toMatchObject({ verdict: 'not_credited' });
  });

  it('are possible only for plans for sale, in their currency', async () => {
    const { client } = await scene.signedInUser();
    const [free, off, yuan] = [
      await createPlan({ price: 0 }),
      await createPlan({ enabled: false }),
      await createPlan({ currency: 'cny', price: 7200 }),
    ];
    const failed = async (plan_id: number) =>
      (await client.send(ownPlanApi.buy, { body: { plan_id, provider: 'stripe' } })).body;
    for (const { id } of [free, off]) expect(await failed(id)).toMatchObject({ message: 'This plan is not for sale' });
    expect(await failed(yuan.id)).toMatchObject({ message: 'This payment provider is not available' });
    const { number, url } = await buy(client, yuan.id, 'epay');
    await scene.openEpay(url);
    await scene.sendEpay(scene.epay.pay(number));
    expect(await own(client)).toMatchObject([{ name: yuan.name }]);
    const listed = (await client.call(ownPlanApi.offers)).map(({ id }) => id);
    expect([listed.includes(yuan.id), listed.includes(free.id), listed.includes(off.id)]).toEqual([true, false, false]);
  });
});

describe('plans of users', () => {
  it('are assigned and removed by admins with a higher role only', async () => {
    const { user, client } = await scene.signedInUser();
    const plan = await createPlan();
    const { user: peer } = await scene.signedInUser({ role: role.admin });
    const { user: self, client: admin } = await scene.signedInUser({ role: role.admin });
    const assigned = await admin.call(userPlanApi.assign, { body: { user_id: user.id, plan_id: plan.id, days: 2 } });
    expect(assigned).toMatchObject({ state: 'active', ends_time: clock.seconds + 2 * day, order_id: 0 });
    for (const call of [
      ...[peer, self].map(({ id }) => admin.send(userPlanApi.assign, { body: { user_id: id, plan_id: plan.id } })),
      client.send(userPlanApi.assign, { body: { user_id: user.id, plan_id: plan.id } }),
      client.send(userPlanApi.remove, { params: { id: assigned.id }, body: {} }),
    ])
      expect((await call).body).toMatchObject({ success: false });
    await admin.call(userPlanApi.remove, { params: { id: assigned.id }, body: { note: 'done' } });
    const again = await admin.send(userPlanApi.remove, { params: { id: assigned.id }, body: {} });
    expect(again.body).toMatchObject({ message: 'This plan has already ended' });
    expect(await own(client)).toEqual([]);
  });

  it('reject impossible terms', async () => {
    const window = { period: 'day', amount: 1 } as const;
    for (const terms of [
      { windows: [] },
      { windows: [window, window] },
      { windows: [{ ...window, amount: 0 }] },
      { windows: [{ ...window, amount: -1 }] },
      { windows: [{ ...window, amount: 2 ** 60 }] },
      { windows: [{ ...window, hours: 5 }] },
      { windows: [{ period: 'hours', amount: 1 }] },
      { price: -1 },
      { days: 0 },
      { days: 1e9 },
      { name: '"quoted"' },
      { upgrade_group: 'a,b' },
      { time_zone: 'Mars/Base' },
    ]) {
      const body = { name: 'Bad', days: 1, windows: [window], ...terms } as never;
      expect((await root.send(planApi.create, { body })).status, JSON.stringify(terms)).toBe(400);
    }
    const { name } = await createPlan();
    const { body } = await root.send(planApi.create, { body: { name, days: 1, windows: [window] } });
    expect(body).toMatchObject({ message: 'A plan with this name already exists' });
  });
});
