import { ownPlanApi, planApi, redemptionApi, userApi, userPlanApi } from '@headgate/contract';
import { describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';

const scene = await usePayments();
const { app, stripe, root, order, callbacksOf, sendStripe } = scene;

let names = 0;
const createPlan = () => {
  names += 1;
  const windows = [{ period: 'day' as const, amount: 1000 }];
  return root.call(planApi.create, { body: { name: `Stored ${names}`, price: 990, days: 30, windows } });
};

const setWindows = (id: number, windows: string) =>
  app.database.updateTable('plans').set({ windows }).where('id', '=', id).execute();

const unreadable = [
  ['broken JSON', '{'],
  ['another type', '{"period":"day"}'],
  ['no windows', '[]'],
  ['an unlimited amount', '[{"period":"day","hours":0,"amount":-1}]'],
] as const;

describe.each(unreadable)('a plan whose stored windows are unreadable: %s', (_, windows) => {
  it('is listed without windows, is not sold, assigned or redeemed, and can be repaired', async () => {
    const { user, client } = await scene.signedInUser();
    const [plan, other] = [await createPlan(), await createPlan()];
    const [key = ''] = await root.call(redemptionApi.create, { body: { name: 'plan', plan_id: plan.id } });
    await setWindows(plan.id, windows);
    const listed = await root.call(planApi.list);
    expect(listed.find(({ id }) => id === plan.id)).toMatchObject({ name: plan.name, windows: [] });
    const offered = (await client.call(ownPlanApi.offers)).map(({ id }) => id);
    expect([offered.includes(plan.id), offered.includes(other.id)]).toEqual([false, true]);
    for (const call of [
      client.send(ownPlanApi.buy, { body: { plan_id: plan.id, provider: 'stripe' } }),
      root.send(userPlanApi.assign, { body: { user_id: user.id, plan_id: plan.id } }),
      client.send(userApi.redeem, { body: { key } }),
    ])
      expect((await call).body).toMatchObject({ success: false });
    expect(await client.call(ownPlanApi.own)).toEqual([]);
    await root.call(planApi.update, { body: { id: plan.id, windows: [{ period: 'week', amount: 5 }] } });
    expect((await client.send(userApi.redeem, { body: { key } })).body).toMatchObject({ success: true });
    expect(await client.call(ownPlanApi.own)).toMatchObject([{ windows: [{ period: 'week', amount: 5 }] }]);
  });
});

describe('an order whose stored plan terms are unreadable', () => {
  it.each(['{', '{"plan":{}}', '[]'])('is paid but grants no plan: %s', async (price) => {
    const { client } = await scene.signedInUser();
    const plan = await createPlan();
    const { number } = await client.call(ownPlanApi.buy, { body: { plan_id: plan.id, provider: 'stripe' } });
    const { price: terms } = await order(number);
    const setPrice = (text: string) =>
      app.database.updateTable('orders').set({ price: text }).where('number', '=', number).execute();
    await setPrice(price);
    expect((await sendStripe(stripe.pay(number))).status).toBe(200);
    expect(await client.call(ownPlanApi.own)).toEqual([]);
    expect((await order(number)).state).toBe('paid');
    expect((await callbacksOf(number))[0]).toMatchObject({
      verdict: 'not_credited',
      detail: 'the stored terms of the plan are unreadable',
    });
    await setPrice(terms);
    await sendStripe(stripe.pay(number));
    expect(await client.call(ownPlanApi.own)).toMatchObject([{ name: plan.name }]);
    expect((await order(number)).state).toBe('credited');
  });
});
