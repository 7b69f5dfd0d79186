import { ledgerApi, ownPlanApi, planApi, userPlanApi } from '@headgate/contract';
import { chatResponse, completion, reply, type UpstreamHandler } from '@headgate/testkit';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

const scene = await usePayments();
const { app, stripe, root, rowOf, order, buy, sendStripe } = scene;

/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;
/** PostgreSQL needs a round trip per statement. */
const runs = inject('database') === 'sqlite' ? 12 : 4;

const stepKinds = [
  'order plan',
  'order quota',
  'pay',
  'refund',
  'refund a part',
  'dispute',
  'win dispute',
  'lose dispute',
  'remove plan',
  'request',
  'failing request',
  'broken request',
  'parallel requests',
] as const;
const anyStep = fc.record({
  kind: fc.constantFrom(...stepKinds),
  which: fc.nat(20),
  amount: fc.integer({ min: 1, max: 6 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Fails or disconnects when the prompt contains `fail` or `break`. */
const faultyUpstream: UpstreamHandler = (response, request) => {
  const text = JSON.stringify(request.body);
  if (text.includes('break')) return void response.destroy();
  if (text.includes('fail')) return reply({ error: { message: 'out of order' } }, 500)(response, request);
  return completion()(response, request);
};

const relay = await relayFixture(app, { upstreams: [faultyUpstream], quota: 0 });
const greedy = await relayFixture(app, {
  quota: 0,
  upstreams: [reply({ ...chatResponse(), usage: { prompt_tokens: 10, completion_tokens: 5000 } })],
});
afterAll(() => Promise.all([relay.close(), greedy.close()]));

let names = 0;
async function createPlan(amount: number, terms: object = {}): Promise<number> {
  names += 1;
  const windows = [{ period: 'all' as const, amount }];
  const { id } = await root.call(planApi.create, {
    body: { name: `Plan ${names}`, price: 1000, days: 30, windows, ...terms },
  });
  return id;
}

interface Bought {
  readonly number: string;
  readonly isPlan: boolean;
}

/** Runs the steps of one generated case for one user. */
class Run {
  readonly #orders: Bought[] = [];

  async take({ kind, which, amount }: Step): Promise<void> {
    const { client } = relay;
    if (kind === 'order plan') {
      const plan_id = await createPlan(amount * reserved, { days: 1 + which });
      const { number } = await client.call(ownPlanApi.buy, { body: { plan_id, provider: 'stripe' } });
      this.#orders.push({ number, isPlan: true });
      return;
    }
    if (kind === 'order quota') {
      const { number } = await buy(client);
      this.#orders.push({ number, isPlan: false });
      return;
    }
    if (kind === 'remove plan') return this.#removePlan();
    if (kind === 'request') return this.#send('hi');
    if (kind === 'failing request') return this.#send('fail');
    if (kind === 'broken request') return this.#send('break');
    if (kind === 'parallel requests') {
      await Promise.all(Array.from({ length: 2 * amount }, (_, index) => this.#send(index % 3 === 2 ? 'fail' : 'hi')));
      return;
    }
    const bought = this.#orders[which % Math.max(1, this.#orders.length)];
    if (bought) await sendStripe(eventOf(bought.number, kind, amount));
  }

  async #send(content: string): Promise<void> {
    const response = await relay.chat({ max_tokens: 10, messages: [{ role: 'user', content }] });
    await response.text();
  }

  async #removePlan(): Promise<void> {
    const [plan] = await relay.client.call(ownPlanApi.own);
    if (plan) await root.call(userPlanApi.remove, { params: { id: plan.id }, body: {} });
  }

  /** The equations of the ledger. */
  async expectExact(): Promise<void> {
    await expectBalancedLedger(app.database);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
    const user = await rowOf(relay.user.id);
    const orders = await app.database
      .selectFrom('orders')
      .select(['id', 'state', 'plan_id', 'credited_quota'])
      .where('account_id', '=', relay.user.id)
      .execute();
    expect(user.credited).toBe(orders.reduce((sum, { credited_quota }) => sum + credited_quota, 0));
    const plans = await root.call(userPlanApi.list, { query: { user_id: relay.user.id, size: 100 } });
    const windows = plans.flatMap((plan) => plan.windows);
    expect(user.plan_quota).toBe(windows.reduce((sum, { used }) => sum + used, 0));
    expect(windows.filter(({ used, amount }) => used > amount)).toEqual([]);
    for (const { id, state, plan_id } of orders.filter((one) => one.plan_id !== 0)) {
      const granted = plans.filter(({ order_id }) => order_id === id);
      expect(granted.length, `plan ${plan_id}`).toBeLessThanOrEqual(1);
      const valid = granted.filter((plan) => plan.state === 'active').length;
      if (state !== 'credited') expect(valid, `plan of an order that is ${state}`).toBe(0);
      else expect(granted).toHaveLength(1);
    }
  }

  /** Otherwise unpaid orders would reach their limit. */
  async close(): Promise<void> {
    for (const { number } of this.#orders) {
      const { state } = await order(number);
      if (state !== 'pending') continue;
      await app.database.updateTable('orders').set({ state: 'expired' }).where('number', '=', number).execute();
    }
  }
}

function eventOf(number: string, kind: Step['kind'], amount: number) {
  switch (kind) {
    case 'refund':
      return stripe.refund(number, 1000);
    case 'refund a part':
      return stripe.refund(number, amount * 100);
    case 'dispute':
      return stripe.dispute(number, 'created', 'needs_response');
    case 'win dispute':
      return stripe.dispute(number, 'closed', 'won');
    case 'lose dispute':
      return stripe.dispute(number, 'closed', 'lost');
    default:
      return stripe.pay(number);
  }
}

describe('the ledger of a user with plans', () => {
  it('stays exact after each of random orders, payments, refunds, disputes and requests', async () => {
    const run = async (steps: readonly Step[]) => {
      const one = new Run();
      for (const step of steps) {
        await one.take(step);
        await one.expectExact();
      }
      await one.close();
    };
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), run), {
      numRuns: runs,
      examples: [
        [
          [
            { kind: 'order plan', which: 0, amount: 3 },
            { kind: 'pay', which: 0, amount: 1 },
            { kind: 'parallel requests', which: 0, amount: 4 },
            { kind: 'order quota', which: 0, amount: 1 },
            { kind: 'pay', which: 1, amount: 1 },
            { kind: 'parallel requests', which: 0, amount: 4 },
            { kind: 'refund', which: 1, amount: 1 },
            { kind: 'dispute', which: 0, amount: 1 },
            { kind: 'request', which: 0, amount: 1 },
            { kind: 'win dispute', which: 0, amount: 1 },
          ],
        ],
      ],
    });
  });

  it('never exceeds a window with one dollar left when 50 requests arrive in parallel', async () => {
    const dollar = 500_000;
    const price = 50_025;
    const plan_id = await createPlan(dollar);
    await root.call(userPlanApi.assign, { body: { user_id: greedy.user.id, plan_id } });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await greedy.chat({ max_tokens: 5000 });
        await response.text();
        return response.status;
      }),
    );
    const served = statuses.filter((status) => status === 200);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(served).toHaveLength(Math.floor(dollar / price));
    const [plan] = await greedy.client.call(ownPlanApi.own);
    expect(plan?.windows).toMatchObject([{ used: served.length * price }]);
    const { quota, plan_quota } = await rowOf(greedy.user.id);
    expect([quota, plan_quota]).toEqual([0, served.length * price]);
  });
});
