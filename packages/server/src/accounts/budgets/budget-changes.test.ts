import { budgetApi, channelApi, ledgerApi, ownBudgetApi, tokenApi, userApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };
const terms = { amount: 100_000, period: 'day', time_zone: 'Pacific/Apia' } as const;

/** Creates a budget of each kind and a request that stays in flight until released. */
async function inFlight() {
  const stack = new AsyncDisposableStack();
  const app = stack.use(await startTestApp());
  const gate = Promise.withResolvers<void>();
  const waiting: UpstreamHandler = async (response, request) => {
    await gate.promise;
    await completion()(response, request);
  };
  const scene = await relayFixture(app, { upstreams: [waiting] });
  stack.defer(() => scene.close().then(() => undefined));
  const { admin, token, user, group } = scene;
  const ofToken = await admin.call(budgetApi.create, { body: { kind: 'token', owner_id: token.id, ...terms } });
  const ofUser = await admin.call(budgetApi.create, { body: { kind: 'user', owner_id: user.id, ...terms } });
  const ofGroup = await admin.call(budgetApi.create, { body: { kind: 'group', group, ...terms } });
  const running = scene.chat({ max_tokens: 10 });
  await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
  const end = async () => {
    gate.resolve();
    const response = await running;
    await response.text();
    return response.status;
  };
  const periodsOf = (budget: number) =>
    app.database
      .selectFrom(currentTable(app.database, 'budget_periods'))
      .select('used')
      .where('budget_id', '=', budget)
      .orderBy('start_time')
      .execute()
      .then((rows) => rows.map(({ used }) => used));
  return { ...scene, app, ofToken, ofUser, ofGroup, end, periodsOf, stack };
}

test('[A47.10] a request is charged to the budget periods in which it started, even if the budgets are reset, reduced or deleted in the meantime', async () => {
  const { admin, client, ofToken, ofUser, ofGroup, end, periodsOf, chat, stack } = await inFlight();
  await using _ = stack;
  await client.call(ownBudgetApi.reset, { params: { id: ofToken.id } });
  await admin.call(budgetApi.update, { body: { id: ofUser.id, amount: 1 } });
  await admin.call(budgetApi.remove, { params: { id: ofGroup.id } });
  expect(await end()).toBe(200);
  expect(await periodsOf(ofToken.id)).toEqual([plainPrice, 0]);
  expect(await periodsOf(ofUser.id)).toEqual([plainPrice]);
  expect(await periodsOf(ofGroup.id)).toEqual([plainPrice]);
  expect(await admin.call(ledgerApi.check)).toMatchObject(balanced);
  expect((await chat({ max_tokens: 10 })).status).toBe(429);
});

test('[A47.10] the ledger stays balanced if the token and the user are deleted during a request', async () => {
  const { admin, client, app, token, user, ofToken, ofGroup, end, periodsOf, stack } = await inFlight();
  await using _ = stack;
  await client.call(tokenApi.remove, { params: { id: token.id } });
  const root = await app.as('root');
  await root.call(userApi.manage, { body: { username: user.username, action: 'delete' } });
  expect(await end()).toBe(200);
  expect(await periodsOf(ofToken.id)).toEqual([plainPrice]);
  expect(await admin.call(ledgerApi.check)).toMatchObject(balanced);
  const listed = await admin.call(budgetApi.list, { query: {} });
  expect(listed.map(({ id }) => id)).toEqual([ofGroup.id]);
});

test('[A47.10] a request is charged to the group in which it started when its user is moved to another group', async () => {
  const { admin, app, user, group, ofGroup, end, chat, periodsOf, stack } = await inFlight();
  await using _ = stack;
  const moved = `${group}-moved`;
  const row = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', group)
    .executeTakeFirstOrThrow();
  await admin.call(channelApi.update, { body: { id: row.id, group: `${group},${moved}` } });
  const fresh = await admin.call(budgetApi.create, { body: { kind: 'group', group: moved, ...terms } });
  await admin.call(userApi.update, { body: { id: user.id, username: user.username, group: moved } });
  expect(await end()).toBe(200);
  expect([await periodsOf(ofGroup.id), await periodsOf(fresh.id)]).toEqual([[plainPrice], [0]]);
  expect((await chat({ max_tokens: 10 })).status).toBe(200);
  expect([await periodsOf(ofGroup.id), await periodsOf(fresh.id)]).toEqual([[plainPrice], [plainPrice]]);
  expect(await admin.call(ledgerApi.check)).toMatchObject(balanced);
});
