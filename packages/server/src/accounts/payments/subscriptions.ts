import type { CallbackVerdict, OrderProviderName } from '@headgate/contract';
import type { Transaction } from '../../platform/db/transaction.ts';
import { secondsPerDay } from '../../records/logs/hours.ts';
import { amountFaultOf, unknownOrder } from './event-faults.ts';
import { newOrderNumber } from './order-number.ts';
import type { OrderRepository, OrderRow } from './order-repository.ts';
import type { PaymentEvent, SubscriptionEvent } from './payment-provider.ts';
import type { SubscriptionRepository, SubscriptionRow } from './subscription-repository.ts';

interface SubscriptionsDependencies {
  readonly subscriptions: SubscriptionRepository;
  readonly orders: OrderRepository;
  /** Sets the ends of the plans of a subscription. */
  readonly plans: { setEnds(transaction: Transaction, userId: number, subscriptionId: number): Promise<void> };
  readonly now: () => number;
}

interface Refusal {
  readonly verdict: CallbackVerdict;
  readonly detail: string;
  readonly order: OrderRow | undefined;
}

type RenewalPayment = PaymentEvent & { readonly subscription: SubscriptionEvent };

/** The provider is queried soon after each event, in case another one was lost or reordered. */
const soonSeconds = 60;

/**
 * Subscriptions of plans. Each paid period has an order, which is credited, refunded and disputed like any other order.
 * The provider's id of the payment makes it unique.
 */
export class Subscriptions {
  readonly #dependencies: SubscriptionsDependencies;

  constructor(dependencies: SubscriptionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Finds and locks the order of a renewal payment, or creates it. Call with the payment locked. */
  async renewalOrder(transaction: Transaction, provider: OrderProviderName, event: RenewalPayment) {
    const orders = this.#dependencies.orders.within(transaction);
    const existing = await orders.findLocked({ provider, paymentId: event.paymentId });
    // The event has the number of the first order.
    if (existing) return existing;
    const { period } = event.subscription;
    const subscription = await this.#findOrCreate(transaction, provider, event);
    const first = subscription && (await orders.find(subscription.order_id));
    if (!subscription || !first) return { ...unknownOrder, order: undefined } satisfies Refusal;
    const fault = amountFaultOf(first, event);
    if (fault) return { ...fault, order: first } satisfies Refusal;
    if (event.paymentId === '' || !period || period.end <= period.start)
      return { verdict: 'ignored', detail: 'no payment or period', order: first } satisfies Refusal;
    if (await orders.isPeriodPaid(subscription.id, period.start))
      return { verdict: 'second_payment', detail: 'the period is already paid', order: first } satisfies Refusal;
    const now = this.#dependencies.now();
    const { account_id, created_by, method, currency, amount, price, plan_id, plan_name } = first;
    return orders.insert({
      ...{ account_id, created_by, provider, method, currency, amount, price, plan_id, plan_name },
      quota: 0,
      bonus_quota: 0,
      number: newOrderNumber(now),
      state: 'pending',
      subscription_id: subscription.id,
      period_start: period.start,
      period_end: period.end,
      created_time: now,
      next_check_time: now + soonSeconds,
    });
  }

  /** A renewal may arrive before the payment of the first order, whose number it contains. */
  async #findOrCreate(
    transaction: Transaction,
    provider: OrderProviderName,
    { number, subscription: { id } }: RenewalPayment,
  ): Promise<SubscriptionRow | undefined> {
    const subscriptions = this.#dependencies.subscriptions.within(transaction);
    const known = await subscriptions.findLocked(provider, id);
    if (known || number === '') return known;
    const first = await this.#dependencies.orders.within(transaction).findLocked({ number });
    if (first?.provider !== provider || first.recurring_days === 0) return undefined;
    return this.#create(transaction, first, id);
  }

  async #create(
    transaction: Transaction,
    { id: order_id, account_id, provider }: OrderRow,
    provider_id: string,
  ): Promise<SubscriptionRow | undefined> {
    const subscriptions = this.#dependencies.subscriptions.within(transaction);
    const now = this.#dependencies.now();
    const row = { order_id, account_id, provider, provider_id, state: 'active', renews: 1 } as const;
    const times = { period_end: 0, created_time: now, next_check_time: now + soonSeconds };
    const added = await subscriptions.insert({ ...row, ...times });
    return added ?? subscriptions.findLocked(provider, provider_id);
  }

  /** The order with its subscription and period. Called once, when its payment arrives, with the order locked. */
  async paid(transaction: Transaction, order: OrderRow, { subscription, time }: PaymentEvent): Promise<OrderRow> {
    const isFirst = order.recurring_days > 0;
    if (!isFirst && order.subscription_id === 0) return order;
    const row = isFirst && subscription ? await this.#started(transaction, order, subscription.id) : undefined;
    const start = time ?? this.#dependencies.now();
    const period = subscription?.period ?? { start, end: start + order.recurring_days * secondsPerDay };
    const columns = { subscription_id: row?.id ?? 0, period_start: period.start, period_end: period.end };
    const orders = this.#dependencies.orders.within(transaction);
    const after = isFirst ? await orders.update(order.id, columns) : order;
    if (after.subscription_id !== 0) await this.#advance(transaction, after);
    if (isFirst)
      await this.#dependencies.subscriptions.within(transaction).makeFailingDue(after, this.#dependencies.now());
    return after;
  }

  /** The reconciler stops a subscription whose last payment was refunded or disputed. */
  async returned(transaction: Transaction, { subscription_id }: OrderRow): Promise<void> {
    const { subscriptions, now } = this.#dependencies;
    if (subscription_id !== 0)
      await subscriptions.within(transaction).update(subscription_id, { next_check_time: now() });
  }

  /** Undefined if the provider's subscription belongs to another order. */
  async #started(transaction: Transaction, order: OrderRow, id: string): Promise<SubscriptionRow | undefined> {
    if (id === '') return undefined;
    const known = await this.#dependencies.subscriptions.within(transaction).findLocked(order.provider, id);
    const row = known ?? (await this.#create(transaction, order, id));
    return row?.order_id === order.id ? row : undefined;
  }

  async #advance(transaction: Transaction, { subscription_id, period_end }: OrderRow): Promise<void> {
    const subscriptions = this.#dependencies.subscriptions.within(transaction);
    const row = await subscriptions.find(subscription_id);
    if (!row) return;
    await subscriptions.update(row.id, {
      period_end: Math.max(row.period_end, period_end),
      next_check_time: this.#dependencies.now() + soonSeconds,
      ...(period_end > row.period_end && row.state === 'past_due' && { state: 'active' }),
    });
  }

  /** Applies the state of a subscription. An older state is ignored, and an ended subscription stays ended. */
  async applyStatus(
    transaction: Transaction,
    provider: OrderProviderName,
    { subscription, paymentId, time = 0 }: PaymentEvent,
  ): Promise<Refusal> {
    const subscriptions = this.#dependencies.subscriptions.within(transaction);
    const row = subscription && (await subscriptions.findLocked(provider, subscription.id));
    if (!row || !subscription) return { ...unknownOrder, order: undefined };
    const orders = this.#dependencies.orders.within(transaction);
    const order = await orders.find(row.order_id);
    const { status } = subscription;
    // A failed payment may have succeeded since.
    const isOld = time < row.event_time || (await orders.findLocked({ provider, paymentId })) !== undefined;
    if (!status || row.state === 'ended' || isOld) return { verdict: 'unchanged', detail: '', order };
    const { state } = status;
    const renews = Number((status.renews ?? row.renews === 1) && state !== 'ended');
    const isSame = row.state === state && row.renews === renews;
    const next_check_time = isSame ? row.next_check_time : this.#dependencies.now() + soonSeconds;
    await subscriptions.update(row.id, { state, renews, event_time: time, next_check_time });
    await this.#dependencies.plans.setEnds(transaction, row.account_id, row.id);
    return { verdict: isSame ? 'unchanged' : 'applied', detail: '', order };
  }
}
