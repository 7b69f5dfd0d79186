import { defaultRoot, orderApi, paymentApi, sessionApi } from '@headgate/contract';
import { ApiClient, notifyEpay, StubEpay } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { paymentOptions } from '../../testing/accounts/payment-fixture.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { storeOptions } from '../../testing/settings/store-options.ts';

const preload = new URL('../../testing/process/kill-at-statement.ts', import.meta.url).href;

/** Statements of a refund in order. The server is killed before the last one in each list. */
const noted = ['update "orders"', 'insert into "credit_notes"'];
const stored = [...noted, 'insert into "payment_callbacks"'];
const killPoints = [noted, stored, [...stored, 'commit']];

async function rootOf(url: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  await client.call(sessionApi.login, { body: defaultRoot });
  return client;
}

/** Buys and pays for an order per kill point, and returns their ids. */
async function buy(on: TestDatabase, epay: StubEpay): Promise<readonly { id: number; amount: number }[]> {
  await using server = startServer(on.environment);
  const url = await addressOf(server);
  const client = await rootOf(url);
  for (const _ of killPoints) {
    const ordered = await client.call(paymentApi.create, { body: { provider: 'epay', method: 'alipay', cents: 1000 } });
    await fetch(ordered.url);
    await notifyEpay(`${url}/api/payment/callback/epay`, epay.pay(ordered.number));
  }
  const orders = await client.call(paymentApi.own, { query: {} });
  return orders;
}

const refund = (client: ApiClient, id: number, amount: number) =>
  client.call(orderApi.refund, { params: { id }, body: { amount, note: 'asked' } });

test('credit notes are numbered without gaps when the server is killed at any step of a refund', async () => {
  const epay = await StubEpay.start();
  await using on = await createMigratedDatabase();
  const database = await openDatabase(on.location);
  const box = new SecretBox(loadSecretKey(on.location.dataDir, undefined));
  await storeOptions(database, box, { ...paymentOptions(epay.url), InvoiceNumbersEnabled: 'true' });
  await database.destroy();
  const orders = await buy(on, epay);

  for (const [index, killAt] of killPoints.entries()) {
    await using server = startServer({
      ...on.environment,
      NODE_OPTIONS: `--import=${preload}`,
      KILL_AT: killAt.join('\n'),
    });
    const client = await rootOf(await addressOf(server));
    const { id = 0 } = orders[index] ?? {};
    await refund(client, id, 100).catch(() => undefined);
    expect(await server.exit, killAt.join(', ')).toMatchObject({ signal: 'SIGKILL' });
  }

  await using server = startServer(on.environment);
  const client = await rootOf(await addressOf(server));
  for (const { id, amount } of orders) {
    await refund(client, id, 100);
    await refund(client, id, amount);
  }
  const own = await client.call(paymentApi.own, { query: {} });
  const notes = own.flatMap(({ credit_notes }) => credit_notes);
  expect(notes.map(({ number }) => number).sort()).toEqual(
    Array.from({ length: 2 * orders.length }, (_, index) => `CN-${String(index + 1).padStart(6, '0')}`),
  );
  for (const { amount, credit_notes } of own)
    expect(credit_notes.map((note) => note.amount)).toEqual([100, amount - 100]);
  const after = await openDatabase(on.location);
  await expectBalancedLedger(after);
  await after.destroy();
  await epay.close();
});
