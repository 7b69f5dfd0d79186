import {
  amountText,
  type CallbackVerdict,
  type Currency,
  isCurrency,
  logType,
  type OrderProviderName,
  type PaymentCallback,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { ReferralShares } from '../referrals/referral-shares.ts';
import type { UserService } from '../users/user-service.ts';
import type { CallbackRepository, NewCallback } from './callback-repository.ts';
import { faultOf, unknownOrder } from './event-faults.ts';
import type { Invoices } from './invoices.ts';
import { creditableQuota, isPlanOwed, mergeEvent, type OrderFacts, orderState } from './order-facts.ts';
import type { OrderRepository, OrderRow } from './order-repository.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { plain, storedEvent } from './stored-event.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Grants and ends the plans of orders. */
interface OrderedPlans {
  /** Returns the reason why a paid plan could not be granted, or an empty string. */
  settle(transaction: Transaction, order: OrderRow, isOwed: boolean): Promise<string>;
}

interface SettlementDependencies {
  readonly orders: OrderRepository;
  readonly invoices: Invoices;
  readonly callbacks: CallbackRepository;
  readonly users: UserService;
  readonly logs: LogService;
  readonly referrals: ReferralShares;
  readonly plans: OrderedPlans;
  readonly subscriptions: Subscriptions;
  readonly inTransaction: InTransaction;
  readonly now: () => number;
}

/** Sent by the provider, contained in a query response, or recorded by an admin. */
export type CallbackSource = PaymentCallback['source'];

export interface SettlementResult {
  readonly verdict: CallbackVerdict;
  readonly detail: string;
  readonly event: PaymentEvent;
  /** Undefined for an unknown order. */
  readonly order: OrderRow | undefined;
}

type Outcome = Omit<SettlementResult, 'event'>;

/**
 * Applies provider events to orders. In one transaction, with the order locked, it stores the event, updates the
 * order's facts and adjusts the balance to the points due.
 */
export class Settlement {
  readonly #dependencies: SettlementDependencies;

  constructor(dependencies: SettlementDependencies) {
    this.#dependencies = dependencies;
  }

  apply(provider: OrderProviderName, source: CallbackSource, event: PaymentEvent): Promise<SettlementResult> {
    return this.#dependencies.inTransaction((transaction) => this.applyIn(transaction, provider, source, event));
  }

  /** The same in a transaction of the caller. */
  async applyIn(
    transaction: Transaction,
    provider: OrderProviderName,
    source: CallbackSource,
    given: PaymentEvent,
  ): Promise<SettlementResult> {
    const [number, paymentId] = [plain(given.number), plain(given.paymentId)];
    const event = { ...given, number, paymentId, chargeId: plain(given.chargeId ?? '') };
    const outcome = await this.#outcome(transaction, provider, event);
    await this.#store(transaction, { provider, source, event, ...outcome });
    return { ...outcome, event };
  }

  /** Stores a callback that failed verification. */
  reject(provider: OrderProviderName, detail: string): Promise<void> {
    return this.#dependencies.inTransaction((transaction) => {
      const event: PaymentEvent = { kind: 'other', event: '', number: '', paymentId: '', amount: 0, currency: '' };
      const outcome = { verdict: 'unverified', detail, order: undefined } as const;
      return this.#store(transaction, { provider, source: 'callback', event, ...outcome });
    });
  }

  async #outcome(transaction: Transaction, provider: OrderProviderName, event: PaymentEvent): Promise<Outcome> {
    const orders = this.#dependencies.orders.within(transaction);
    const { kind, paymentId, chargeId = '' } = event;
    if (kind === 'subscription') return this.#dependencies.subscriptions.applyStatus(transaction, provider, event);
    await orders.lockPayments(provider, [paymentId, chargeId]);
    const order = await this.#find(transaction, provider, event);
    if (order && 'verdict' in order) return order;
    const fault = order ? faultOf(order, provider, event) : unknownOrder;
    if (fault) return { ...fault, order };
    if (!order || kind === 'other') return { verdict: 'ignored', detail: '', order };
    const other = kind === 'paid' || kind === 'linked' ? await this.#otherOrder(transaction, order, event) : undefined;
    if (other) return { verdict: 'second_payment', detail: `the payment belongs to order ${other.number}`, order };
    return this.#merge(transaction, order, event);
  }

  /** Another order with one of the ids of a payment. */
  async #otherOrder(transaction: Transaction, { id, provider }: OrderRow, { paymentId, chargeId = '' }: PaymentEvent) {
    const orders = this.#dependencies.orders.within(transaction);
    for (const one of [paymentId, chargeId]) {
      const other = await orders.findLocked({ provider, paymentId: one });
      if (other && other.id !== id) return other;
    }
    return undefined;
  }

  /** Finds and locks the order of an event, or the reason why a renewal has none. */
  #find(transaction: Transaction, provider: OrderProviderName, event: PaymentEvent) {
    const { number, paymentId, subscription } = event;
    if (event.kind === 'paid' && subscription?.isRenewal)
      return this.#dependencies.subscriptions.renewalOrder(transaction, provider, { ...event, subscription });
    return this.#dependencies.orders
      .within(transaction)
      .findLocked(number === '' ? { provider, paymentId } : { number });
  }

  async #merge(transaction: Transaction, given: OrderRow, event: PaymentEvent): Promise<Outcome> {
    const { orders, subscriptions, now } = this.#dependencies;
    const before = orderFacts(given);
    const facts = await this.#withEarlier(transaction, given, mergeEvent(before, event));
    const isPaid = before.payment_id === '' && facts.payment_id !== '';
    const order = isPaid ? await subscriptions.paid(transaction, given, event) : given;
    const moved = await this.#deliver(transaction, order, facts);
    const state = stateAfter(order, facts, moved);
    const { sent: _sent, amount: _amount, quota: _quota, ...columns } = facts;
    const after = await orders.within(transaction).update(order.id, {
      ...columns,
      state,
      credited_quota: moved.credited,
      ...(isPaid && { paid_time: now() }),
    });
    if (isPlanOwed(before) && !isPlanOwed(facts)) await subscriptions.returned(transaction, after);
    const referred = { ...after, was_credited: order.credited_quota > 0 };
    await this.#dependencies.referrals.settle(transaction, referred, Math.min(creditableQuota(facts), moved.credited));
    await this.#issueDocuments(transaction, order, after);
    const isCredited = isDelivery(order, state) || moved.credited > order.credited_quota;
    const isSame = JSON.stringify(before) === JSON.stringify(facts) && moved.credited === order.credited_quota;
    return { ...requestResult(moved.fault, isCredited, isSame), order: after };
  }

  /** Adds refunds and disputes that arrived before the payment, or before its second id. */
  async #withEarlier(transaction: Transaction, order: OrderRow, given: OrderFacts): Promise<OrderFacts> {
    const callbacks = this.#dependencies.callbacks.within(transaction);
    let facts = given;
    for (const name of ['payment_id', 'charge_id'] as const) {
      const id = facts[name];
      if (id === '' || id === order[name]) continue;
      for (const row of await callbacks.early(order.provider, id))
        if (row.currency === order.currency || row.kind === 'linked') facts = mergeEvent(facts, storedEvent(row));
    }
    return facts;
  }

  /** An order gets its invoice once, when it is credited, and a credit note for each later refund. */
  async #issueDocuments(transaction: Transaction, before: OrderRow, after: OrderRow): Promise<void> {
    const { invoices, orders } = this.#dependencies;
    const isFirst = after.state === 'credited' && before.state !== 'credited' && after.invoice_terms === '';
    const invoice = isFirst ? await invoices.issue(transaction) : undefined;
    const invoiced = invoice ? await orders.within(transaction).update(after.id, invoice) : after;
    await invoices.credit(transaction, invoiced);
  }

  /** An order buys either quota or a plan. */
  async #deliver(transaction: Transaction, order: OrderRow, facts: OrderFacts): Promise<Delivery> {
    if (order.plan_id === 0) return this.#moveBalance(transaction, order, facts);
    const isUnpaid = facts.payment_id === '';
    const fault = isUnpaid ? '' : await this.#dependencies.plans.settle(transaction, order, isPlanOwed(facts));
    return { credited: 0, fault };
  }

  /** Credits points that are due, or deducts credited points that are no longer due. */
  async #moveBalance(transaction: Transaction, order: OrderRow, facts: OrderFacts): Promise<Delivery> {
    const credited = order.credited_quota;
    const change = creditableQuota(facts) - credited;
    if (change === 0) return { credited, fault: '' };
    const { logs, users } = this.#dependencies;
    const account = await users.findLocked(transaction, order.account_id);
    if (!account) return { credited, fault: 'the account was deleted' };
    if (!(await hasRoom(users.credit(transaction, account.id, change))))
      return { credited, fault: 'the quota would exceed the maximum' };
    const { number } = order;
    const amount = logs.amount(Math.abs(change));
    const isRestored = order.state === 'disputed' || order.state === 'refunded';
    if (change > 0 && !isRestored) {
      const price = amountText(order.amount, order.currency);
      const values = { price, amount, number };
      await logs.record(transaction, {
        type: logType.topUp,
        event: 'order.credited',
        user: account,
        values,
        quota: change,
      });
    } else {
      const event = change > 0 ? 'order.restored' : 'order.taken';
      await logs.record(transaction, {
        type: logType.system,
        event,
        user: account,
        values: { number, amount },
        quota: change,
      });
    }
    return { credited: credited + change, fault: '' };
  }

  #store(
    transaction: Transaction,
    { provider, source, event, verdict, detail, order }: SettlementResult & StoredCallback,
  ): Promise<void> {
    const row: NewCallback = {
      provider,
      source,
      order_id: order?.id ?? 0,
      number: event.number,
      event: plain(event.event),
      kind: event.kind,
      payment_id: event.paymentId,
      charge_id: event.chargeId ?? '',
      amount: event.amount,
      currency: plain(event.currency),
      verdict,
      detail,
      created_time: this.#dependencies.now(),
    };
    return this.#dependencies.callbacks.within(transaction).insert(row);
  }
}

function requestResult(fault: string, isCredited: boolean, isSame: boolean): Omit<Outcome, 'order'> {
  if (fault !== '') return { verdict: 'not_credited', detail: fault };
  if (isCredited) return { verdict: 'credited', detail: '' };
  return { verdict: isSame ? 'unchanged' : 'applied', detail: '' };
}

/** True if an order that was not delivered before has delivered its plan. */
const isDelivery = (order: OrderRow, state: OrderRow['state']): boolean =>
  order.plan_id !== 0 && state === 'credited' && !['credited', 'disputed', 'refunded'].includes(order.state);

/** A plan has no credited points that show whether it was granted. */
const stateAfter = (order: OrderRow, facts: OrderFacts, { credited, fault }: Delivery) =>
  order.plan_id !== 0 && fault !== '' ? 'paid' : orderState(facts, credited);

interface Delivery {
  readonly credited: number;
  /** Empty if there is none. */
  readonly fault: string;
}

interface StoredCallback {
  readonly provider: OrderProviderName;
  readonly source: CallbackSource;
}

/** False, without a change, if the quota would exceed the maximum. */
async function hasRoom(crediting: Promise<void>): Promise<boolean> {
  try {
    await crediting;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'quotaTooLarge') return false;
    throw error;
  }
}

export const orderFacts = (order: OrderRow): OrderFacts => ({
  amount: order.amount,
  quota: order.quota,
  sent: order.state !== 'created',
  payment_id: order.payment_id,
  charge_id: order.charge_id,
  closing: order.closing,
  refunded_amount: order.refunded_amount,
  disputed_amount: order.disputed_amount,
  dispute: order.dispute,
});

/** An amount of an event as text. */
export const eventAmount = ({ amount, currency }: Pick<PaymentEvent, 'amount' | 'currency'>): string =>
  isCurrency(currency) ? amountText(amount, currency satisfies Currency) : `${amount} ${currency}`;
