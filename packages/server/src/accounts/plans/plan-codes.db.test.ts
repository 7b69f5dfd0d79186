import { organizationApi, ownPlanApi, planApi, redemptionApi, userApi, userPlanApi } from '@headgate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, clock, root, rowOf } = scene;
const day = 86_400;

afterEach(() => expectBalancedLedger(app.database));

let names = 0;
const createPlan = (terms: object = {}) => {
  names += 1;
  const windows = [{ period: 'day' as const, amount: 1000 }];
  return root.call(planApi.create, { body: { name: `Code ${names}`, price: 990, days: 30, windows, ...terms } });
};

type Client = Awaited<ReturnType<typeof scene.signedInUser>>['client'];
const own = (client: Client) => client.call(ownPlanApi.own);

describe('redemption codes of plans', () => {
  const codeOf = async (plan_id: number, terms: object = {}) =>
    (await root.call(redemptionApi.create, { body: { name: 'plan', plan_id, ...terms } }))[0] ?? '';
  const redeem = (client: Client, key: string) => client.send(userApi.redeem, { body: { key } });

  it('grant the plan once per user, and add no quota', async () => {
    const { user, client } = await scene.signedInUser();
    const plan = await createPlan({ price: 0 });
    const key = await codeOf(plan.id, { max_uses: 2 });
    const [first, second] = await Promise.all([redeem(client, key), redeem(client, key)]);
    expect([first, second].map(({ body }) => (body as { success: boolean }).success).sort()).toEqual([false, true]);
    expect(await own(client)).toMatchObject([{ name: plan.name, ends_time: clock.seconds + 30 * day }]);
    expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 0 });
    const [log] = (await scene.logsOf(user.id)).slice(-1);
    expect(log?.content).toBe(`Redeemed a code for the plan ${plan.name}`);
    const other = await scene.signedInUser();
    expect((await redeem(other.client, key)).body).toMatchObject({ success: true, data: 0 });
  });

  it('are not used up if the plan cannot be granted', async () => {
    const { user, client } = await scene.signedInUser();
    const plan = await createPlan({ max_per_user: 1 });
    const key = await codeOf(plan.id);
    const { id } = await root.call(userPlanApi.assign, { body: { user_id: user.id, plan_id: plan.id } });
    expect((await redeem(client, key)).body).toMatchObject({
      message: 'The maximum number of plans of this kind per user is 1',
    });
    await root.call(userPlanApi.remove, { params: { id }, body: {} });
    const { id: organization } = await client.call(organizationApi.create, { body: { name: 'Plan codes' } });
    const shared = await client.send(organizationApi.redeem, { params: { id: organization }, body: { key } });
    expect(shared.body).toMatchObject({
      message: 'Plan codes can only be redeemed by users, not organizations',
    });
    await root.call(planApi.remove, { params: { id: plan.id } });
    expect((await redeem(client, key)).body).toMatchObject({ message: 'This plan no longer exists' });
    const [code] = await root.call(redemptionApi.list, { query: { size: 1 } });
    expect(code).toMatchObject({ key, use_count: 0, status: 1, plan_id: plan.id });
  });

  it('enforce the per-user limit while an order for the plan is open', async () => {
    const plan = await createPlan({ max_per_user: 1 });
    const key = await codeOf(plan.id, { max_uses: 10 });
    const attempts = Array.from({ length: 10 }, async () => {
      const { client } = await scene.signedInUser();
      const body = { plan_id: plan.id, provider: 'stripe' as const };
      const results = await Promise.all([client.send(ownPlanApi.buy, { body }), redeem(client, key)]);
      return results.filter((result) => (result.body as { success: boolean }).success).length;
    });
    expect(new Set(await Promise.all(attempts))).toEqual(new Set([1]));
  });

  it('need either a plan or quota, which cannot be changed later', async () => {
    const plan = await createPlan();
    for (const worth of [{}, { quota: 5, plan_id: plan.id }, { plan_id: -1 }]) {
      const { status } = await root.send(redemptionApi.create, { body: { name: 'bad', ...worth } });
      expect(status, JSON.stringify(worth)).toBe(400);
    }
    const unknown = await root.send(redemptionApi.create, { body: { name: 'bad', plan_id: 999_999 } });
    expect(unknown.body).toMatchObject({ message: 'This plan no longer exists' });
    await codeOf(plan.id);
    const [code] = await root.call(redemptionApi.list, { query: { size: 1 } });
    const body = { id: code?.id ?? 0, quota: 5 };
    expect((await root.send(redemptionApi.update, { query: {}, body })).status).toBe(400);
  });
});
