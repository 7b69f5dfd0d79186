import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, pageQuery, queryInteger } from '../wire/list.ts';
import { currencyNames } from './currencies.ts';
import { creditNote, invoice } from './invoice.ts';

interface PaymentProviderRow {
  readonly label: string;
}

/** All payment providers. */
export const paymentProviders = {
  stripe: { label: 'Stripe' },
  epay: { label: 'Epay' },
} as const satisfies Readonly<Record<string, PaymentProviderRow>>;

export type PaymentProviderName = keyof typeof paymentProviders;
export const paymentProviderNames = Object.keys(paymentProviders) as [PaymentProviderName, ...PaymentProviderName[]];

export const isPaymentProvider = (name: string): name is PaymentProviderName => Object.hasOwn(paymentProviders, name);

/** Providers of orders. Imported orders were paid at another gateway, so there is no provider to query. */
export const orderProviders = { ...paymentProviders, imported: { label: 'Imported' } } as const;

export type OrderProviderName = keyof typeof orderProviders;
export const orderProviderNames = Object.keys(orderProviders) as [OrderProviderName, ...OrderProviderName[]];

/** States of an order. `paid`: the payment arrived but could not be credited. */
export const orderStates = {
  created: { label: 'Created', color: 'gray' },
  pending: { label: 'Pending', color: 'yellow' },
  paid: { label: 'Paid, not credited', color: 'orange' },
  credited: { label: 'Credited', color: 'green' },
  expired: { label: 'Expired', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
  refunded: { label: 'Refunded', color: 'blue' },
  disputed: { label: 'Disputed', color: 'red' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly color: string }>>;

export type OrderState = keyof typeof orderStates;
export const orderStateNames = Object.keys(orderStates) as [OrderState, ...OrderState[]];

/** Outcome of a callback or of a provider's response to a query. */
export const callbackVerdicts = {
  credited: { label: 'Credited', color: 'green' },
  applied: { label: 'Applied', color: 'green' },
  unchanged: { label: 'No change', color: 'gray' },
  ignored: { label: 'Ignored', color: 'gray' },
  not_credited: { label: 'Not credited', color: 'orange' },
  second_payment: { label: 'Second payment', color: 'red' },
  wrong_amount: { label: 'Wrong amount', color: 'red' },
  wrong_provider: { label: 'Wrong provider', color: 'red' },
  unknown_order: { label: 'Unknown order', color: 'gray' },
  unverified: { label: 'Invalid signature', color: 'red' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly color: string }>>;

export type CallbackVerdict = keyof typeof callbackVerdicts;
export const callbackVerdictNames = Object.keys(callbackVerdicts) as [CallbackVerdict, ...CallbackVerdict[]];

/** Sources of an event: sent by the provider, returned by a query, or recorded by an admin. */
export const callbackSources = ['callback', 'query', 'admin'] as const;

const provider = z.enum(paymentProviderNames);
const orderProvider = z.enum(orderProviderNames);
const currency = z.enum(currencyNames);
const state = z.enum(orderStateNames);

/** Maximum length of an admin's note. */
export const orderNoteLength = { max: 500 } as const;

/** An order as shown to its account. */
export const ownOrder = z.object({
  id: z.int(),
  number: z.string(),
  provider: orderProvider,
  /** Payment method at the provider; empty if chosen on the provider's page. */
  method: z.string(),
  currency,
  /** In the smallest unit of the currency. */
  amount: z.int(),
  /** Points to credit, including the bonus. */
  quota: z.int(),
  bonus_quota: z.int(),
  /** Name of the plan that the order buys; empty for quota. */
  plan_name: z._default(z.string(), ''),
  state,
  /** In the smallest unit of the currency. */
  refunded_amount: z.int(),
  /** Points that the order has added to the balance so far. */
  credited_quota: z.int(),
  created_time: z.int(),
  /** 0 if not paid. */
  paid_time: z.int(),
  /** Null without a seller, tax and invoice numbers. */
  invoice: z._default(z.nullable(invoice), null),
  /** Oldest first. */
  credit_notes: z._default(z.array(creditNote), []),
});
export type OwnOrder = z.output<typeof ownOrder>;

export const order = z.extend(ownOrder, {
  account_id: z.int(),
  /** Name of the account; empty if it was deleted. */
  username: z.string(),
  /** User who created the order. */
  created_by: z.int(),
  /** Id of the checkout at the provider. */
  provider_id: z.string(),
  /** Id of the payment at the provider; empty if not paid. */
  payment_id: z.string(),
  /** In the smallest unit of the currency. */
  disputed_amount: z.int(),
  note: z.string(),
  /** When the provider was last queried; 0: never. */
  checked_time: z.int(),
});
export type Order = z.output<typeof order>;

export const paymentCallback = z.object({
  id: z.int(),
  provider: orderProvider,
  /** 0 for an unknown order. */
  order_id: z.int(),
  number: z.string(),
  source: z.enum(callbackSources),
  /** Type of the event, as named by the provider. */
  event: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  verdict: z.enum(callbackVerdictNames),
  /** Reason for the verdict. */
  detail: z.string(),
  created_time: z.int(),
});
export type PaymentCallback = z.output<typeof paymentCallback>;

/** An amount on offer with its price at one provider. */
const offeredAmount = z.object({
  /** Cents of quota, which identify the amount. */
  cents: z.int(),
  bonus: z.int(),
  amount: z.int(),
  quota: z.int(),
  bonus_quota: z.int(),
});

export const paymentOffer = z.object({
  provider,
  /** Methods to choose from; if empty, the buyer chooses on the provider's page. */
  methods: z.array(z.string()),
  currency,
  amounts: z.array(offeredAmount),
});
export type PaymentOffer = z.output<typeof paymentOffer>;

/** An order that waits for its payment. */
export const createdOrder = z.object({
  number: z.string(),
  /** The provider's payment page. */
  url: z.string(),
});

const numberParams = z.object({ number: z.string().check(z.minLength(1), z.maxLength(64)) });

export const paymentApi = {
  offers: { method: 'GET', path: '/api/payment/offers', access: 'user', reply: z.array(paymentOffer) },
  create: {
    method: 'POST',
    path: '/api/payment/order',
    access: 'user',
    body: z.object({
      provider,
      method: z._default(z.string().check(z.maxLength(40)), ''),
      cents: z.int().check(z.minimum(1), z.maximum(10_000_000)),
    }),
    reply: createdOrder,
  },
  own: {
    method: 'GET',
    path: '/api/payment/order',
    access: 'user',
    query: pageQuery,
    list: true,
    reply: z.array(ownOrder),
  },
  ownOne: { method: 'GET', path: '/api/payment/order/:number', access: 'user', params: numberParams, reply: ownOrder },
  checkOwn: {
    method: 'POST',
    path: '/api/payment/order/:number/check',
    access: 'user',
    params: numberParams,
    reply: ownOrder,
  },
} as const satisfies EndpointTable;

/** Filters of the order list. */
export const orderFilter = z.object({
  keyword,
  state: z.optional(state),
  provider: z.optional(orderProvider),
  account_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
});
export type OrderFilter = z.output<typeof orderFilter>;

export const orderApi = {
  list: {
    method: 'GET',
    path: '/api/order/',
    access: 'admin',
    query: z.extend(pageQuery, orderFilter.shape),
    list: true,
    reply: z.array(order),
  },
  get: {
    method: 'GET',
    path: '/api/order/:id',
    access: 'admin',
    params: idParams,
    reply: z.object({ order, callbacks: z.array(paymentCallback) }),
  },
  callbacks: {
    method: 'GET',
    path: '/api/order/callbacks',
    access: 'admin',
    query: pageQuery,
    list: true,
    reply: z.array(paymentCallback),
  },
  check: { method: 'POST', path: '/api/order/:id/check', access: 'admin', params: idParams, reply: order },
  refund: {
    method: 'POST',
    path: '/api/order/:id/refund',
    access: 'admin',
    params: idParams,
    body: z.object({
      /** Total refunded amount in the smallest unit of the currency. */
      amount: z.int().check(z.minimum(1)),
      note: z.string().check(z.trim(), z.minLength(1), z.maxLength(orderNoteLength.max)),
    }),
    reply: order,
  },
  selfTest: {
    method: 'POST',
    path: '/api/order/self_test',
    access: 'root',
    body: z.object({ provider }),
    reply: z.object({
      ok: z.boolean(),
      /** Callback URL that was requested. */
      url: z.string(),
      /** Reason why the test failed; empty if it passed. */
      reason: z.string(),
    }),
  },
} as const satisfies EndpointTable;
