import { signEpay } from '@headgate/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, epay, rowOf, buy, order, sendStripe, sendEpay } = scene;
const tenDollars = 5_000_000;

/** PostgreSQL needs a round trip per statement. */
const callbacks = inject('database') === 'sqlite' ? 1000 : 200;
const parallel = 50;

const anyStep = fc.record({
  kind: fc.constantFrom('pay', 'refund', 'created', 'won', 'lost'),
  amount: fc.integer({ min: 1, max: 1200 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Reference model of an order of 1000 cents. */
interface Model {
  isPaid: boolean;
  refunded: number;
  isOpen: boolean;
  closed: string;
}

function eventOf(number: string, { kind, amount }: Step) {
  if (kind === 'refund') return stripe.refund(number, amount);
  return kind === 'created'
    ? stripe.dispute(number, 'created', 'needs_response')
    : stripe.dispute(number, 'closed', kind);
}

function learn(model: Model, { kind, amount }: Step): void {
  if (kind === 'pay') model.isPaid = true;
  else if (kind === 'refund') model.refunded = Math.max(model.refunded, Math.min(amount, 1000));
  else if (kind === 'created') model.isOpen = true;
  else if (model.closed !== 'lost') model.closed = kind;
}

/** Points that remain credited, computed with floating-point arithmetic. */
function keptQuota({ isPaid, refunded, isOpen, closed }: Model): number {
  const isDisputed = closed === '' ? isOpen : closed === 'lost';
  return isPaid && !isDisputed ? Math.floor((tenDollars * (1000 - refunded)) / 1000) : 0;
}

describe('callbacks', () => {
  it(`credit an order once when ${callbacks} of them arrive, ${parallel} at a time`, async () => {
    const { user, client } = await scene.signedInUser();
    const { number } = await buy(client);
    const event = stripe.pay(number);
    const send = async () => {
      for (let sent = 0; sent < callbacks / parallel; sent += 1) expect((await sendStripe(event)).status).toBe(200);
    };
    await Promise.all(Array.from({ length: parallel }, send));
    expect((await rowOf(user.id)).quota).toBe(tenDollars);
    const kept = await scene.callbacksOf(number);
    expect(kept.filter(({ verdict }) => verdict === 'credited')).toHaveLength(1);
    // The number of repetitions is limited.
    expect(kept).toHaveLength(51);
  });

  it('credit one order when one payment is reported for two orders concurrently', async () => {
    const { user, client } = await scene.signedInUser();
    const bought = [await buy(client, { provider: 'epay' }), await buy(client, { provider: 'epay' })];
    await Promise.all(bought.map(({ url }) => fetch(url)));
    const [first] = bought.map(({ number }) => epay.pay(number));
    await Promise.all(bought.map(({ number }) => sendEpay(signEpay({ ...first, out_trade_no: number }))));
    expect((await rowOf(user.id)).quota).toBe(tenDollars);
  });

  it('do not credit a deleted account, and credit it after it is restored', async () => {
    const { user, client } = await scene.signedInUser();
    const { number } = await buy(client);
    const setStatus = (status: number) =>
      app.database.updateTable('users').set({ status }).where('id', '=', user.id).execute();
    await setStatus(3);
    await sendStripe(stripe.pay(number));
    expect(await order(number)).toMatchObject({ state: 'paid', credited_quota: 0 });
    await setStatus(1);
    await sendStripe(stripe.pay(number));
    expect(await order(number)).toMatchObject({ state: 'credited', credited_quota: tenDollars });
  });

  it('keep the ledger balanced for random orders, payments, refunds and disputes in any order', async () => {
    const { user, client } = await scene.signedInUser();
    let expected = 0;
    const run = async (steps: readonly Step[]) => {
      const { number } = await buy(client);
      const model: Model = { isPaid: false, refunded: 0, isOpen: false, closed: '' };
      const paid = stripe.pay(number);
      for (const step of steps) {
        await sendStripe(step.kind === 'pay' ? paid : eventOf(number, step));
        learn(model, step);
        await expectBalancedLedger(app.database);
      }
      const kept = keptQuota(model);
      expect((await order(number)).credited_quota, JSON.stringify(steps)).toBe(kept);
      expected += kept;
      // Otherwise unpaid orders would reach their limit.
      await app.database.updateTable('orders').set({ state: 'expired' }).where('number', '=', number).execute();
    };
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), run), { numRuns: 12 });
    const row = await rowOf(user.id);
    expect([row.quota, row.credited]).toEqual([expected, expected]);
  });
});
