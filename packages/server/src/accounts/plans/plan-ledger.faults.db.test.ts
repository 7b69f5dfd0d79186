import { ledgerApi, orderApi, ownPlanApi, paymentApi, planApi, tokenApi, userPlanApi } from '@headgate/contract';
import { type ApiClient, completion, notifyEpay, StubEpay, StubUpstream } from '@headgate/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { paymentOptions } from '../../testing/accounts/payment-fixture.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { prepareChannel, signedInRoot } from '../../testing/process/kill-under-load.ts';
import { addressOf, type Program, startServer } from '../../testing/process/program.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { storeOptions } from '../../testing/settings/store-options.ts';

const runs = 3;
const rootId = 1;
const stepKinds = ['order quota', 'order plan', 'pay', 'pay', 'refund', 'remove plan', 'requests'] as const;
const anyStep = fc.record({
  kind: fc.constantFrom(...stepKinds),
  which: fc.nat(10),
  /** Event loop turns after which the server is killed; undefined: it is not. */
  killAfter: fc.option(fc.nat(400), { nil: undefined, freq: 2 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A server that is killed and started again on the same database, and the steps of its root user. */
class KilledServer {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #stored: TestDatabase;
  readonly #epay: StubEpay;
  #server: Program | undefined;
  #url = '';
  #root: ApiClient | undefined;
  #planId = 0;
  #key = '';
  #creditedBefore = 0;

  constructor(stored: TestDatabase, epay: StubEpay) {
    this.#environment = { ...stored.environment, LOG_LEVEL: 'error' };
    this.#stored = stored;
    this.#epay = epay;
  }

  async prepare(upstreamUrl: string): Promise<void> {
    await this.#start();
    const root = await prepareChannel(this.#url, upstreamUrl);
    const windows = [{ period: 'all' as const, amount: 500 }];
    const body = { name: 'Crashes', price: 990, currency: 'cny' as const, days: 30, windows };
    ({ id: this.#planId } = await root.call(planApi.create, { body }));
    ({ key: this.#key } = await root.call(tokenApi.create, { body: { name: 'crashes', unlimited_quota: true } }));
    this.#creditedBefore = (await this.#read(rootRow)).credited;
  }

  async take({ kind, which, killAfter }: Step): Promise<void> {
    const work = this.#work(kind, which);
    if (killAfter === undefined) return work;
    work.catch(() => undefined);
    for (let turns = killAfter; turns > 0; turns -= 1) await new Promise(setImmediate);
    await this.close();
    await work.catch(() => undefined);
    await this.#start();
  }

  async expectExact(): Promise<void> {
    const root = this.#client;
    const check = await root.call(ledgerApi.check);
    expect(check).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
    const [orders, { credited, plan_quota }] = await this.#read(async (database) => {
      await expectBalancedLedger(database);
      return [await database.selectFrom('orders').selectAll().execute(), await rootRow(database)];
    });
    expect(credited - this.#creditedBefore).toBe(orders.reduce((sum, one) => sum + one.credited_quota, 0));
    const plans = await root.call(userPlanApi.list, { query: { user_id: rootId, size: 100 } });
    const used = plans.flatMap(({ windows }) => windows.map((window) => window.used));
    expect(plan_quota).toBe(used.reduce((sum, points) => sum + points, 0));
    for (const { id, plan_id, state } of orders) {
      const granted = plans.filter(({ order_id }) => order_id === id).length;
      if (plan_id !== 0 && state === 'credited') expect(granted).toBe(1);
      else expect(granted).toBeLessThanOrEqual(plan_id === 0 ? 0 : 1);
    }
  }

  /** Kills the server. */
  async close(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }

  get #client(): ApiClient {
    if (!this.#root) throw new Error('the server is not started');
    return this.#root;
  }

  async #start(): Promise<void> {
    this.#server = startServer(this.#environment);
    this.#url = await addressOf(this.#server);
    this.#root = await signedInRoot(this.#url);
  }

  /** Closes the database afterwards: a server does not start while another program has the file open. */
  async #read<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase(this.#stored.location);
    return work(database).finally(() => database.destroy());
  }

  async #work(kind: Step['kind'], which: number): Promise<void> {
    const root = this.#client;
    const method = { provider: 'epay', method: 'alipay' } as const;
    switch (kind) {
      case 'order quota':
        return this.#open((await root.call(paymentApi.create, { body: { ...method, cents: 1000 } })).url);
      case 'order plan':
        return this.#open((await root.call(ownPlanApi.buy, { body: { ...method, plan_id: this.#planId } })).url);
      case 'pay':
        return this.#pay(which);
      case 'refund':
        return this.#refund(which);
      case 'remove plan':
        return this.#removePlan();
      case 'requests':
        await Promise.all(Array.from({ length: 1 + which }, () => this.#request()));
    }
  }

  async #open(url: string): Promise<void> {
    await fetch(url);
  }

  /** Twice, as Epay repeats its notifications. */
  async #pay(which: number): Promise<void> {
    const numbers = [...this.#epay.orders.keys()];
    const number = numbers[which % Math.max(1, numbers.length)];
    if (number === undefined) return;
    const fields = this.#epay.pay(number);
    const send = () => notifyEpay(`${this.#url}/api/payment/callback/epay`, fields);
    await Promise.all([send(), send()]);
  }

  async #refund(which: number): Promise<void> {
    const paid = (await this.#client.call(paymentApi.own, { query: {} })).filter(({ state }) => state === 'credited');
    const { id } = paid[which % Math.max(1, paid.length)] ?? {};
    if (id !== undefined)
      await this.#client.call(orderApi.refund, { params: { id }, body: { amount: 100, note: 'crash' } });
  }

  async #removePlan(): Promise<void> {
    const [plan] = await this.#client.call(ownPlanApi.own);
    if (plan) await this.#client.call(userPlanApi.remove, { params: { id: plan.id }, body: {} });
  }

  /** After a crash, requests may be rejected until the points of the killed node are released. */
  async #request(): Promise<void> {
    const response = await fetch(`${this.#url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await response.text();
  }
}

const rootRow = (database: Database) =>
  database
    .selectFrom(currentTable(database, 'users'))
    .select(['credited', 'plan_quota'])
    .where('id', '=', rootId)
    .executeTakeFirstOrThrow();

test('the ledger stays exact after random orders, payments, refunds, plans and requests with kills in between', async () => {
  const [epay, upstream] = [await StubEpay.start(), await StubUpstream.start(completion())];
  await using stack = new AsyncDisposableStack();
  stack.defer(() => epay.close());
  stack.defer(() => upstream.close());
  const stored = stack.use(await createMigratedDatabase());
  const database = await openDatabase(stored.location);
  const box = new SecretBox(loadSecretKey(stored.location.dataDir, undefined));
  await storeOptions(database, box, { ...paymentOptions(epay.url) }).finally(() => database.destroy());
  const server = new KilledServer(stored, epay);
  stack.defer(() => server.close());
  await server.prepare(upstream.url);
  const run = async (steps: readonly Step[]) => {
    for (const step of steps) {
      await server.take(step);
      await server.expectExact();
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 8 }), run), {
    numRuns: runs,
    endOnFailure: true,
    examples: [
      [
        [
          { kind: 'order plan', which: 0, killAfter: undefined },
          { kind: 'pay', which: 0, killAfter: 50 },
          { kind: 'pay', which: 0, killAfter: undefined },
          { kind: 'requests', which: 8, killAfter: 100 },
          { kind: 'order quota', which: 0, killAfter: undefined },
          { kind: 'pay', which: 1, killAfter: 20 },
          { kind: 'pay', which: 1, killAfter: undefined },
          { kind: 'refund', which: 1, killAfter: 30 },
          { kind: 'requests', which: 8, killAfter: undefined },
        ],
      ],
    ],
  });
});
