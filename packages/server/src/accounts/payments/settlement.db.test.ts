import { signEpay } from '@headgate/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, stripe, epay, rowOf, buy, order, sendStripe, sendEpay } = scene;
const tenDollars = 5_000_000;

/** PostgreSQL takes a round trip per statement. */
const callbacks = inject('database') === 'sqlite' ? 1000 : 200;
const parallel = 50;

/** Points that an order keeps after refunds and a dispute, computed with floating-point arithmetic. */
const keptQuota = (amount: number, refunded: number, isDisputed: boolean) =>
  isDisputed ? 0 : Math.floor((tenDollars * (amount - refunded)) / amount);

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
    // Repetitions are limited.
    expect(kept).toHaveLength(51);
  });

  it('credit one order when one payment is reported for two at once', async () => {
    const { user, client } = await scene.signedInUser();
    const bought = [await buy(client, { provider: 'epay' }), await buy(client, { provider: 'epay' })];
    await Promise.all(bought.map(({ url }) => fetch(url)));
    const [first] = bought.map(({ number }) => epay.pay(number));
    await Promise.all(bought.map(({ number }) => sendEpay(signEpay({ ...first, out_trade_no: number }))));
    expect((await rowOf(user.id)).quota).toBe(tenDollars);
  });

  it('do not credit a deleted account, and credit it when it is restored', async () => {
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

  it('of random orders, payments, refunds and disputes in any order keep the ledger balanced', async () => {
    const { user, client } = await scene.signedInUser();
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('pay' as const) }),
        fc.record({ kind: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 1200 }) }),
        fc.record({ kind: fc.constantFrom('created', 'won', 'lost') }),
      ),
      { minLength: 1, maxLength: 8 },
    );
    let expected = 0;
    const run = async (given: readonly (readonly { kind: string; amount?: number }[])[]) => {
      for (const events of given) {
        const { number } = await buy(client);
        const paid = stripe.pay(number);
        let [isPaid, refunded, isOpen, closed] = [false, 0, false, ''];
        for (const { kind, amount = 0 } of events) {
          if (kind === 'pay') {
            isPaid = true;
            await sendStripe(paid);
          } else if (kind === 'refund') {
            refunded = Math.max(refunded, Math.min(amount, 1000));
            await sendStripe(stripe.refund(number, amount));
          } else if (kind === 'created') {
            isOpen = true;
            await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
          } else {
            closed = closed === 'lost' ? closed : kind;
            await sendStripe(stripe.dispute(number, 'closed', kind));
          }
          await expectBalancedLedger(app.database);
        }
        const isDisputed = closed === '' ? isOpen : closed === 'lost';
        const kept = isPaid ? keptQuota(1000, refunded, isDisputed) : 0;
        expect((await order(number)).credited_quota, JSON.stringify(events)).toBe(kept);
        expected += kept;
        await app.database.updateTable('orders').set({ state: 'expired' }).where('number', '=', number).execute();
      }
      const row = await rowOf(user.id);
      expect([row.quota, row.credited]).toEqual([expected, expected]);
    };
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 2 }), run), { numRuns: 8 });
  });
});
