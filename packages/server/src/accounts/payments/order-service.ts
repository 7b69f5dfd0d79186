import {
  type OptionValues,
  type OwnOrder,
  type Parsed,
  type PaymentOffer,
  type PaymentProviderName,
  type paymentApi,
  readTopUpAmounts,
  topUpPrice,
} from '@headgate/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { groupsOf } from '../users/user-service.ts';
import type { Invoices } from './invoices.ts';
import { isOpen, orderState } from './order-facts.ts';
import { newOrderNumber } from './order-number.ts';
import type { NewOrder as NewOrderRow, OrderRepository, OrderRow } from './order-repository.ts';
import type { Checkout, PaymentProvider } from './payment-provider.ts';
import type { PaymentProviders } from './payment-providers.ts';
import { checkDelays, type Reconciler } from './reconciler.ts';
import { orderFacts } from './settlement.ts';

type NewOrder = Parsed<typeof paymentApi.create>['body'];

export type OrderMethod = Pick<NewOrder, 'provider' | 'method'>;

/** Columns of an order that depend on what is bought. */
type PricedOrder = Pick<
  NewOrderRow,
  'currency' | 'amount' | 'quota' | 'bonus_quota' | 'price' | 'plan_id' | 'plan_name' | 'recurring_days'
>;

/** Something that an order buys. */
export interface Purchase {
  /** Description on the payment page, after the name of the gateway. */
  readonly title: string;
  readonly priced: (provider: PaymentProvider) => PricedOrder;
  /** Throws if the user may not order it. Runs while no other order of the user is created. */
  readonly check?: (transaction: Transaction) => Promise<void>;
}

interface OrderServiceDependencies {
  readonly orders: OrderRepository;
  readonly invoices: Invoices;
  readonly providers: PaymentProviders;
  readonly reconciler: Reconciler;
  readonly options: {
    readonly values: Pick<OptionValues, 'TopUpAmounts' | 'TopUpGroupRatio' | 'QuotaPerUnit' | 'SystemName'>;
  };
  readonly homeAddress: PublicUrl;
  readonly inTransaction: InTransaction;
  readonly logger: FastifyBaseLogger;
  readonly now: () => number;
}

/** Maximum unpaid orders per account; more would only be abandoned ones. */
const maxOpenOrders = 10;
/** Failed orders count as open for this long, so that failing checkouts cannot be repeated without limit. */
const failedSeconds = 3600;

/** Minimum interval between queries by a buyer. */
const ownCheckSeconds = 10;

/** Quota offers and orders. */
export class OrderService {
  readonly #dependencies: OrderServiceDependencies;

  constructor(dependencies: OrderServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Providers, and amounts with their prices for a user. */
  offers(user: UserRow): PaymentOffer[] {
    const { providers } = this.#dependencies;
    return providers
      .offered()
      .map(({ name, provider }) => this.#offer(user, name, provider))
      .filter(({ amounts }) => amounts.length > 0);
  }

  #offer(user: UserRow, name: PaymentProviderName, provider: PaymentProvider): PaymentOffer {
    const { values } = this.#dependencies.options;
    const settings = this.#priceSettings(user, provider);
    const amounts = (readTopUpAmounts(values.TopUpAmounts) ?? []).flatMap((amount) => {
      const price = topUpPrice(amount, settings);
      return price ? [{ ...amount, ...price }] : [];
    });
    return { provider: name, methods: [...provider.methods], currency: provider.currency, amounts };
  }

  #priceSettings(user: UserRow, { currency, unitPrice }: PaymentProvider) {
    const { QuotaPerUnit: quotaPerUnit, TopUpGroupRatio } = this.#dependencies.options.values;
    const [group = ''] = groupsOf(user);
    const discount = Object.hasOwn(TopUpGroupRatio, group) ? (TopUpGroupRatio[group] ?? 1) : 1;
    return { currency, unitPrice, quotaPerUnit, discount };
  }

  /** Stores an order, then creates its checkout at the provider. Returns the URL of the payment page. */
  create(user: UserRow, given: NewOrder): Promise<{ number: string; url: string }> {
    return this.start(user, given, {
      title: `$${given.cents / 100}`,
      priced: (provider) => this.#priced(user, provider, given),
    });
  }

  /** The same for any purchase. */
  async start(user: UserRow, given: OrderMethod, purchase: Purchase): Promise<{ number: string; url: string }> {
    const { providers, homeAddress, logger } = this.#dependencies;
    const home = homeAddress.require('paymentAddressNeeded');
    const provider = providers.find(given.provider);
    if (!provider?.isOn) throw new ApiError('paymentProviderOff');
    const isKnown = provider.methods.length === 0 ? given.method === '' : provider.methods.includes(given.method);
    if (!isKnown) throw new ApiError('badInput', { detail: 'method' });
    const order = await this.#insert(user, given, { ...purchase, priced: () => purchase.priced(provider) });
    const pages = {
      title: `${this.#dependencies.options.values.SystemName} ${purchase.title}`,
      returnUrl: `${home}/topup?order=${order.number}`,
      cancelUrl: `${home}/topup?order=${order.number}`,
      callbackUrl: `${home}/api/payment/callback/${given.provider}`,
    };
    try {
      const checkout = await providers.checkout(provider, order, pages);
      await this.#sent(order, checkout);
      return { number: order.number, url: checkout.url };
    } catch (error) {
      logger.warn({ err: error, order: order.number }, 'failed to create a checkout');
      await this.#failed(order);
      throw new ApiError('paymentProviderFailed');
    }
  }

  #insert(
    user: UserRow,
    { provider, method }: OrderMethod,
    { priced, check }: Omit<Purchase, 'priced'> & { readonly priced: () => PricedOrder },
  ): Promise<OrderRow> {
    const { inTransaction, now } = this.#dependencies;
    const row = {
      ...priced(),
      number: newOrderNumber(now()),
      account_id: user.id,
      created_by: user.id,
      provider,
      method,
      state: 'created' as const,
      created_time: now(),
    };
    return inTransaction(async (transaction) => {
      const orders = this.#dependencies.orders.within(transaction);
      if ((await orders.countOpenLocked(user.id, { failedSince: now() - failedSeconds, now: now() })) >= maxOpenOrders)
        throw new ApiError('tooManyOpenOrders', { limit: String(maxOpenOrders) });
      await check?.(transaction);
      return orders.insert({ ...row, next_check_time: now() + checkDelays[0] });
    });
  }

  #priced(user: UserRow, provider: PaymentProvider, { provider: name, cents }: NewOrder): PricedOrder {
    const offer = this.#offer(user, name, provider);
    const amount = offer.amounts.find((one) => one.cents === cents);
    if (!amount) throw new ApiError('badInput', { detail: 'cents' });
    return {
      currency: offer.currency,
      amount: amount.amount,
      quota: amount.quota,
      bonus_quota: amount.bonus_quota,
      price: JSON.stringify({ cents, bonus: amount.bonus, ...this.#priceSettings(user, provider) }),
    };
  }

  /** A callback may have arrived first, so the state is derived from the locked row. */
  #sent({ number }: OrderRow, { providerId }: Checkout): Promise<void> {
    return this.#change(number, { provider_id: providerId }, (facts) => ({ ...facts, sent: true }));
  }

  #failed({ number }: OrderRow): Promise<void> {
    return this.#change(number, { closing: 'failed' }, (facts) => ({ ...facts, closing: 'failed' }));
  }

  #change(
    number: string,
    columns: { readonly provider_id: string } | { readonly closing: 'failed' },
    extend: (facts: ReturnType<typeof orderFacts>) => ReturnType<typeof orderFacts>,
  ): Promise<void> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const orders = this.#dependencies.orders.within(transaction);
      const order = await orders.findLocked({ number });
      if (!order) return;
      const isUndelivered = order.plan_id !== 0 && order.state === 'paid';
      const state = isUndelivered ? order.state : orderState(extend(orderFacts(order)), order.credited_quota);
      await orders.update(order.id, { ...columns, state });
    });
  }

  async own(user: UserRow, page: Parsed<typeof paymentApi.own>['query']): Promise<{ rows: OwnOrder[]; total: number }> {
    const { rows, total } = await this.#dependencies.orders.ofAccount(user.id, page);
    return { rows: await this.#dependencies.invoices.present(rows), total };
  }

  async ownOne(user: UserRow, number: string): Promise<OwnOrder> {
    return this.#dependencies.invoices.presentOne(await this.#find(user, number));
  }

  async #find(user: UserRow, number: string): Promise<OrderRow> {
    const order = await this.#dependencies.orders.findOwn(user.id, number);
    if (!order) throw new ApiError('notFound');
    return order;
  }

  /** Queries the provider about an open order after the buyer has returned from the payment page. */
  async checkOwn(user: UserRow, number: string): Promise<OwnOrder> {
    const order = await this.#find(user, number);
    const { orders, reconciler, now } = this.#dependencies;
    const after = now() - ownCheckSeconds;
    if (isOpen(order.state) && (await orders.noteCheck(order.id, { now: now(), after })))
      await reconciler.checkNow(order);
    return this.ownOne(user, number);
  }
}
