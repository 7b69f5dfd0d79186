import { defaultRoot, ownPlanApi, paymentApi, planApi, sessionApi } from '@headgate/contract';
import { ApiClient, notifyEpay, StubEpay } from '@headgate/testkit';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { paymentOptions } from '../../testing/accounts/payment-fixture.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { storeOptions } from '../../testing/settings/store-options.ts';

const preload = new URL('../../testing/process/kill-at-statement.ts', import.meta.url).href;

/** Statements of a purchase in order. The server is killed before the last one in each list. */
const bought = ['insert into "orders"', 'update "orders"'];
const invoiced = [...bought, 'update "users"', 'update "orders"', 'update "orders"'];
const credited = [...invoiced, 'insert into "payment_callbacks"'];
const killPoints =
  inject('database') === 'sqlite' ? [bought, invoiced, credited, [...credited, 'commit']] : [[...credited, 'commit']];

/** The same for the order of a plan. */
const granted = [...bought, 'insert into "user_plans"', 'insert into "budgets"'];
const planKillPoints = inject('database') === 'sqlite' ? [granted, [...granted, 'commit']] : [[...granted, 'commit']];

const tenDollars = 5_000_000;

/** Buys ten dollars of quota, or a plan. Undefined if the server was killed. */
async function order(client: ApiClient, isPlan: boolean) {
  const method = { provider: 'epay', method: 'alipay' } as const;
  if (!isPlan) return client.call(paymentApi.create, { body: { ...method, cents: 1000 } }).catch(() => undefined);
  const windows = [{ period: 'day' as const, amount: tenDollars }];
  const known = await client.call(planApi.list);
  const body = { name: 'Killed', price: 990, currency: 'cny' as const, days: 30, windows };
  const { id: plan_id } = known[0] ?? (await client.call(planApi.create, { body }));
  return client.call(ownPlanApi.buy, { body: { ...method, plan_id } }).catch(() => undefined);
}

/** Buys and pays for an order on a server that is killed at a statement, and returns the fields of the notification. */
async function buyAndDie(on: TestDatabase, epay: StubEpay, killAt: readonly string[], isPlan: boolean) {
  await using server = startServer({
    ...on.environment,
    NODE_OPTIONS: `--import=${preload}`,
    KILL_AT: killAt.join('\n'),
  });
  const url = await addressOf(server);
  const client = new ApiClient(url);
  await client.call(sessionApi.login, { body: defaultRoot });
  const ordered = await order(client, isPlan);
  if (ordered) {
    await fetch(ordered.url);
    await notifyEpay(`${url}/api/payment/callback/epay`, epay.pay(ordered.number)).catch(() => undefined);
  }
  expect(await server.exit, killAt.join(', ')).toMatchObject({ signal: 'SIGKILL' });
}

test('a payment is neither lost nor credited twice when the server is killed at any step', async () => {
  const epay = await StubEpay.start();
  await using on = await createMigratedDatabase();
  const database = await openDatabase(on.location);
  const box = new SecretBox(loadSecretKey(on.location.dataDir, undefined));
  await storeOptions(database, box, { ...paymentOptions(epay.url), InvoiceNumbersEnabled: 'true' });
  await database.destroy();
  for (const point of killPoints) await buyAndDie(on, epay, point, false);
  for (const point of planKillPoints) await buyAndDie(on, epay, point, true);

  await using server = startServer(on.environment);
  const callbackUrl = `${await addressOf(server)}/api/payment/callback/epay`;
  const client = new ApiClient(new URL(callbackUrl).origin);
  await client.call(sessionApi.login, { body: defaultRoot });
  const states = async () => (await client.call(paymentApi.own, { query: {} })).map(({ state }) => state);
  expect((await states()).filter((state) => state !== 'pending' && state !== 'created')).toEqual([]);
  for (const number of epay.orders.keys()) {
    for (let time = 0; time < 2; time += 1)
      expect(await notifyEpay(callbackUrl, epay.pay(number))).toEqual({ status: 200, text: 'success' });
  }
  const paid = epay.orders.size;
  expect((await states()).filter((state) => state === 'credited')).toHaveLength(paid);
  const after = await openDatabase(on.location);
  await expectBalancedLedger(after);
  const orders = after.selectFrom('orders').select(({ fn }) => fn.sum<number>('credited_quota').as('quota'));
  const numbers = await after.selectFrom('orders').select('invoice_seq').orderBy('invoice_seq').execute();
  expect(numbers.filter(({ invoice_seq }) => invoice_seq > 0)).toEqual(
    Array.from({ length: paid }, (_, index) => ({ invoice_seq: index + 1 })),
  );
  const plans = planKillPoints.length;
  expect(await orders.executeTakeFirstOrThrow()).toEqual({ quota: (paid - plans) * tenDollars });
  expect(await client.call(ownPlanApi.own)).toHaveLength(plans);
  await after.destroy();
  await epay.close();
});
