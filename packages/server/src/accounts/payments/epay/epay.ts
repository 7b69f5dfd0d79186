import { decimalAmount, type OptionValues } from '@headgate/contract';
import type {
  CallbackReading,
  CheckoutOrder,
  CheckoutPages,
  PaymentEvent,
  PaymentProvider,
} from '../payment-provider.ts';
import { epayFields, epaySignature, epaySignatureFault, fenOf } from './epay-signature.ts';

/** Options of Epay. */
export type EpaySettings = Pick<
  OptionValues,
  'EpayEnabled' | 'EpayAddress' | 'EpayMerchantId' | 'EpayMerchantKey' | 'EpayMethods' | 'EpayUnitPrice'
>;

const currency = 'cny';
const maxTitleBytes = 127;

/** Epay with MD5 signatures. Undefined while the address, merchant or key is missing. */
export function epay(settings: EpaySettings): PaymentProvider | undefined {
  const { EpayAddress: address, EpayMerchantId: pid, EpayMerchantKey: key } = settings;
  if (address === '' || pid === '' || key === '') return undefined;
  return {
    currency,
    unitPrice: settings.EpayUnitPrice,
    methods: settings.EpayMethods,
    isOn: settings.EpayEnabled,
    checkout: (order, pages) => {
      const fields = checkoutFields(pid, order, pages);
      const signed = { ...fields, sign: epaySignature(fields, key), sign_type: 'MD5' };
      return { url: `${address}/submit.php?${new URLSearchParams(signed)}`, providerId: '' };
    },
    readCheckout: () => undefined,
    readCallback: ({ method, query, body }) => readNotification(method === 'GET' ? query : body, { pid, key }),
    query: ({ number }) => ({
      url: `${address}/api.php?${new URLSearchParams({ act: 'order', pid, key, out_trade_no: number })}`,
      method: 'GET',
    }),
    readQuery: (response, order) => readOrder(response, order, pid),
    // Epay repeats the notification unless the response is `success`. A repetition may help if the order is unknown or
    // was not credited.
    reply: (verdict) => (processed.has(verdict) ? { status: 200, text: 'success' } : { status: 400, text: 'fail' }),
  };
}

const processed: ReadonlySet<string> = new Set(['credited', 'applied', 'unchanged', 'ignored', 'second_payment']);

function checkoutFields(pid: string, order: CheckoutOrder, pages: CheckoutPages): Record<string, string> {
  return {
    pid,
    ...(order.method !== '' && { type: order.method }),
    out_trade_no: order.number,
    notify_url: pages.callbackUrl,
    return_url: pages.returnUrl,
    name: firstBytes(pages.title, maxTitleBytes),
    money: decimalAmount(order.amount, currency),
  };
}

function firstBytes(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join('');
  return short;
}

interface Merchant {
  readonly pid: string;
  readonly key: string;
}

function readNotification(form: string, { pid, key }: Merchant): CallbackReading {
  const fields = epayFields(form);
  if (!fields) return { rejected: 'the fields are not valid' };
  const fault = epaySignatureFault(fields, key);
  if (fault !== undefined) return { rejected: fault };
  if (fields['pid'] !== pid) return { rejected: 'another merchant' };
  const amount = fenOf(fields['money'] ?? '');
  if (amount === undefined) return { rejected: 'the amount is not valid' };
  const status = fields['trade_status'] ?? '';
  const paymentId = fields['trade_no'] ?? '';
  return {
    event: {
      kind: status === 'TRADE_SUCCESS' && paymentId !== '' ? 'paid' : 'other',
      event: status.slice(0, 100),
      number: fields['out_trade_no'] ?? '',
      paymentId,
      amount,
      currency,
    },
  };
}

/** Reports only paid orders: Epay does not report orders that end without a payment. */
function readOrder(response: unknown, order: CheckoutOrder, pid: string): readonly PaymentEvent[] | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const fields = Object.fromEntries(Object.entries(response).map(([name, value]) => [name, String(value ?? '')]));
  // An order that the buyer never opened is unknown to Epay.
  if (fields['code'] !== '1') return [];
  const amount = fenOf(fields['money'] ?? '');
  const isSame = fields['out_trade_no'] === order.number && (fields['pid'] ?? pid) === pid;
  if (!isSame || amount === undefined) return undefined;
  const paymentId = fields['trade_no'] ?? '';
  if (fields['status'] !== '1' || paymentId === '') return [];
  return [{ kind: 'paid', event: 'order paid', number: order.number, paymentId, amount, currency }];
}
