import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditableQuota, mergeEvent, type OrderFacts, orderState } from './order-facts.ts';
import type { PaymentEvent } from './payment-provider.ts';

const pending: OrderFacts = {
  amount: 1000,
  quota: 5_000_001,
  sent: true,
  charge_id: '',
  payment_id: '',
  closing: '',
  refunded_amount: 0,
  disputed_amount: 0,
  dispute: '',
};

const event = (kind: PaymentEvent['kind'], amount = 1000): PaymentEvent => ({
  kind,
  event: '',
  number: 'n',
  paymentId: 'p',
  amount,
  currency: 'usd',
});

const factsAfter = (...events: readonly PaymentEvent[]) => events.reduce(mergeEvent, pending);
const settled = (facts: OrderFacts) => orderState(facts, creditableQuota(facts));

const anyEvent = fc.record({
  kind: fc.constantFrom<PaymentEvent['kind']>(
    ...(['paid', 'expired', 'failed', 'refunded', 'disputed', 'dispute_won', 'dispute_lost', 'other'] as const),
  ),
  amount: fc.integer({ min: -5, max: 1500 }),
});

describe('order facts', () => {
  it('do not depend on the order or repetition of events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), fc.integer(), (given, seed) => {
        const events = given.map(({ kind, amount }) => event(kind, amount));
        const shuffled = events
          .concat(events)
          .map((one, index) => ({ one, key: Math.imul(index + 1, seed | 1) }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(factsAfter(...shuffled)).toEqual(factsAfter(...events));
      }),
    );
  });

  it('points due are between zero and the quota, and equal to the quota only without refunds', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), (given) => {
        const facts = factsAfter(...given.map(({ kind, amount }) => event(kind, amount)));
        const owed = creditableQuota(facts);
        expect(Number.isInteger(owed) && owed >= 0 && owed <= facts.quota).toBe(true);
        if (facts.refunded_amount === 1000 || facts.payment_id === '') expect(owed).toBe(0);
      }),
    );
  });

  it.each([
    ['pending', []],
    ['expired', [event('expired')]],
    ['failed', [event('expired'), event('failed')]],
    ['credited', [event('paid')]],
    ['credited', [event('expired'), event('paid')]],
    ['credited', [event('paid'), event('refunded', 999)]],
    ['refunded', [event('paid'), event('refunded')]],
    ['disputed', [event('paid'), event('disputed')]],
    ['credited', [event('paid'), event('dispute_won'), event('disputed')]],
    ['disputed', [event('paid'), event('dispute_lost')]],
  ] as const)('are in state %s after %j', (state, events) => {
    expect(settled(factsAfter(...events))).toBe(state);
  });

  it('an order stays in state paid until its quota is credited', () => {
    expect(orderState(factsAfter(event('paid')), 0)).toBe('paid');
  });
});
