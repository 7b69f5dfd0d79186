import { budgetApi, ledgerApi, ownPlanApi, planApi, planTag, userPlanApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };

/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const plansOf = ({ admin, user }: Scene) => ({
  /** Creates a plan and assigns it to the user. */
  assign: async (name: string, terms: object = {}) => {
    const windows = [{ period: 'all' as const, amount: reserved + plainPrice }];
    const { id } = await admin.call(planApi.create, { body: { name, days: 30, windows, ...terms } });
    return admin.call(userPlanApi.assign, { body: { user_id: user.id, plan_id: id } });
  },
});

test('requests are charged to the plan that ends first while all windows have room, then to the balance', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const { assign } = plansOf(scene);
  const before = (await scene.books()).user.quota;
  const send = async (body: object = {}) => (await scene.chat({ max_tokens: 10, ...body })).status;
  await assign('Later', { days: 60 });
  const windows = [
    { period: 'hours' as const, hours: 5, amount: reserved },
    { period: 'month' as const, amount: 1_000_000 },
  ];
  await assign('Sooner', { windows });
  await assign('Other model', { days: 1, models: 'claude-*' });
  const payers = async () => {
    const { logs } = await scene.books();
    return logs.map(({ detail }) => JSON.parse(detail).request_tags?.[planTag] ?? 'balance');
  };
  for (let index = 0; index < 4; index += 1) expect(await send()).toBe(200);
  expect(await payers()).toEqual(['Sooner', 'Later', 'Later', 'balance']);
  const { user } = await scene.books();
  expect(user).toMatchObject({
    quota: before - plainPrice,
    used_quota: 4 * plainPrice,
    plan_quota: 3 * plainPrice,
    budgeted_quota: 4 * plainPrice,
  });
  const own = await scene.client.call(ownPlanApi.own);
  expect(own.map(({ name }) => name)).toEqual(['Other model', 'Sooner', 'Later']);
  expect(own[1]?.windows).toMatchObject([
    { period: 'hours', used: plainPrice, amount: reserved },
    { period: 'month', used: plainPrice },
  ]);
  expect(own[1]?.windows[0]?.reset_time).toBe((own[1]?.starts_time ?? 0) + 5 * 3600);
  expect(own[2]?.windows).toMatchObject([{ period: 'all', used: 2 * plainPrice, reset_time: 0 }]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  // Windows are not listed as budgets.
  expect(await scene.admin.call(budgetApi.list, { query: {} })).toEqual([]);
  await scene.close();
});

test('a plan pays for concurrent requests that it covers together, even if the balance is larger', async () => {
  await using app = await startTestApp();
  const gate = Promise.withResolvers<void>();
  const respond: UpstreamHandler = async (response, request) => {
    await gate.promise;
    await completion()(response, request);
  };
  const scene = await relayFixture(app, { upstreams: [respond] });
  // Covers one request with a token for each byte, or several with the counted tokens.
  const amount = 29_000;
  await plansOf(scene).assign('Concurrent', { windows: [{ period: 'all' as const, amount }] });
  const messages = [{ role: 'user', content: 'word '.repeat(2000) }];
  const pending = [1, 2].map(() => scene.chat({ max_tokens: 10, messages }));
  await expect.poll(() => scene.upstreams[0]?.received.length).toBe(2);
  gate.resolve();
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200]);
  const { user } = await scene.books();
  expect(user).toMatchObject({ used_quota: 2 * plainPrice, plan_quota: 2 * plainPrice });
  await scene.close();
});

test('without a balance, an exhausted window returns 429 with its reset time; removed plans are not charged', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()], quota: 0 });
  const { assign } = plansOf(scene);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(402);
  const { id } = await assign('Pro', { windows: [{ period: 'day', amount: reserved }], upgrade_group: 'vip' });
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  const response = await scene.chat({ max_tokens: 10 });
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({
    error: { code: 'budget_exhausted', message: expect.stringMatching(/daily budget of your plan .*it resets on/) },
  });
  await scene.admin.call(userPlanApi.remove, { params: { id }, body: { note: 'test' } });
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(402);
  expect(await scene.client.call(ownPlanApi.own)).toEqual([]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
