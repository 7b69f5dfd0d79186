import { createHash, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type FormRequest, FormServer, redirect, sendJson, sendPaymentPage } from './form-server.ts';

export const epayMerchant = { id: '1001', key: 'epay-merchant-key' } as const;

type Fields = Readonly<Record<string, string>>;

/** MD5 signature as computed by Epay. */
export function signEpay(fields: Fields, key: string = epayMerchant.key): Fields {
  const names = Object.keys(fields).filter((name) => !['sign', 'sign_type'].includes(name) && fields[name] !== '');
  const text = names
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return {
    ...fields,
    sign: createHash('md5')
      .update(text + key)
      .digest('hex'),
    sign_type: 'MD5',
  };
}

interface EpayOrder {
  readonly fields: Fields;
  tradeNo: string;
}

const maxTrade = 1e12;

/** Fake Epay: a payment page, signed notifications and order queries. */
export class StubEpay {
  readonly orders = new Map<string, EpayOrder>();
  #server: FormServer | undefined;

  static async start(): Promise<StubEpay> {
    const stub = new StubEpay();
    stub.#server = await FormServer.start((request, response) => stub.#handle(request, response));
    return stub;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Marks an order as paid and returns the signed fields of its notification. */
  pay(number: string, changes: Fields = {}): Fields {
    const order = this.orders.get(number);
    if (!order) throw new Error(`no order ${number}`);
    // Unique over all stubs, because tests share a gateway, which accepts each payment once.
    if (order.tradeNo === '') order.tradeNo = `2026${String(randomInt(maxTrade)).padStart(12, '0')}`;
    const { name = '', money = '', type = 'alipay' } = order.fields;
    const trade = { pid: epayMerchant.id, trade_no: order.tradeNo, out_trade_no: number, type, name, money };
    return signEpay({ ...trade, trade_status: 'TRADE_SUCCESS', param: '', ...changes });
  }

  async #handle(request: FormRequest, response: ServerResponse): Promise<void> {
    const { method, path, query } = request;
    if (path === '/api.php') return this.#query(query, response);
    if (path.startsWith('/pay/')) return this.#paid(path.slice('/pay/'.length), response);
    if (path !== '/submit.php') return sendJson(response, { code: -1, msg: 'not found' }, 404);
    const fields = method === 'GET' ? Object.fromEntries(query) : request.form;
    const { out_trade_no: number = '', money = '', return_url: cancel = '' } = fields;
    const isSigned = signEpay(fields)['sign'] === fields['sign'] && fields['pid'] === epayMerchant.id;
    if (!isSigned || !/^\d+\.\d{2}$/.test(money)) return sendJson(response, { code: -1, msg: 'bad signature' }, 400);
    if (!this.orders.has(number)) this.orders.set(number, { fields, tradeNo: '' });
    sendPaymentPage(response, { price: `${money} CNY`, pay: `/pay/${number}`, cancel });
  }

  #query(query: URLSearchParams, response: ServerResponse) {
    const number = query.get('out_trade_no') ?? '';
    const order = this.orders.get(number);
    if (query.get('key') !== epayMerchant.key || query.get('act') !== 'order' || !order)
      return sendJson(response, { code: -1, msg: 'unknown order' });
    const { name, money, type } = order.fields;
    const trade = { trade_no: order.tradeNo, out_trade_no: number, type, pid: Number(epayMerchant.id), name, money };
    sendJson(response, { code: 1, msg: 'ok', ...trade, status: order.tradeNo === '' ? 0 : 1 });
  }

  async #paid(number: string, response: ServerResponse): Promise<void> {
    const fields = this.pay(number);
    const { notify_url: url = '', return_url: back = '' } = this.orders.get(number)?.fields ?? {};
    await notifyEpay(url, fields);
    redirect(response, `${back}${back.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`);
  }
}

/** Sends a notification as Epay does. */
export async function notifyEpay(url: string, fields: Fields, method: 'GET' | 'POST' = 'GET') {
  const form = new URLSearchParams(fields);
  const response = await (method === 'GET' ? fetch(`${url}?${form}`) : fetch(url, { method, body: form }));
  return { status: response.status, text: await response.text() };
}
