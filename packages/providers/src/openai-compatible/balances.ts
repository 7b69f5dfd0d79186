import { isObject, listAt, numberAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { BalanceCall, Upstream, UpstreamRequest } from '../provider.ts';
import { bearer } from './pass-through.ts';

const dayMs = 24 * 60 * 60 * 1000;
const centsInDollar = 100;

/** Granted minus used amount, from OpenAI's billing API and gateways that imitate it. */
export const openaiBalance: BalanceCall = {
  requests(upstream) {
    const today = new Date(upstream.now).toISOString().slice(0, 10);
    const usageSince = (day: string) =>
      get(upstream, `/v1/dashboard/billing/usage?start_date=${day}&end_date=${today}`);
    return [
      get(upstream, '/v1/dashboard/billing/subscription'),
      usageSince(`${today.slice(0, 8)}01`),
      usageSince(new Date(upstream.now - 100 * dayMs).toISOString().slice(0, 10)),
    ];
  },
  read([subscription, thisMonth, lately]) {
    // Prepaid accounts have a permanent grant, others a monthly limit.
    const isPrepaid = objectOrNone(subscription)?.['has_payment_method'] === false;
    const used = amount(numberAt(isPrepaid ? lately : thisMonth, 'total_usage'));
    return amount(numberAt(subscription, 'hard_limit_usd')) - used / centsInDollar;
  },
};

/** A balance from one field of one response. */
const balanceAt = (path: string, read: (body: unknown) => number | undefined): BalanceCall => ({
  requests: (upstream) => [get(upstream, path)],
  read: ([body]) => amount(read(body)),
});

export const creditGrants = (field: 'total_available' | 'total_remaining'): BalanceCall =>
  balanceAt('/dashboard/billing/credit_grants', (body) => numberAt(body, field));

export const openaiSbBalance: BalanceCall = {
  requests: (upstream) => [get(upstream, `/sb-api/user/status?api_key=${encodeURIComponent(upstream.key)}`)],
  read: ([body]) => amount(numberIn(objectAt(body, 'data')['credit'])),
};

/** AI Proxy's balance, which is reported by its website, not by the API host. */
export const aiProxyBalance: BalanceCall = {
  requests: ({ baseUrl, key }) => [
    {
      method: 'GET',
      url: `${baseUrl.replace('//api.', '//')}/api/report/getUserOverview`,
      headers: { 'api-key': key },
    },
  ],
  read: ([body]) => amount(numberIn(objectAt(body, 'data')['totalPoints'])),
};

export const openRouterBalance = balanceAt('/v1/credits', (body) => {
  const credits = objectAt(body, 'data');
  const total = numberAt(credits, 'total_credits');
  return total === undefined ? undefined : total - (numberAt(credits, 'total_usage') ?? 0);
});

export const deepSeekBalance = balanceAt('/user/balance', (body) => {
  const accounts = listAt(body, 'balance_infos');
  const inYuan = accounts.find((account) => textAt(account, 'currency') === 'CNY');
  return numberIn(objectOrNone(inYuan)?.['total_balance']);
});

export const siliconFlowBalance = balanceAt('/v1/user/info', (body) =>
  numberIn(objectAt(body, 'data')['totalBalance']),
);

export const moonshotBalance = balanceAt('/v1/users/me/balance', (body) =>
  numberIn(objectAt(body, 'data')['available_balance']),
);

const get = (upstream: Upstream, path: string): UpstreamRequest => ({
  method: 'GET',
  url: upstream.baseUrl + path,
  headers: bearer(upstream),
});

function amount(found: number | undefined): number {
  if (found === undefined) throw new UpstreamProblem(502, 'The upstream returned no balance');
  return found;
}

/** Reads an amount of money, which some vendors write as text. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const objectOrNone = (value: unknown) => (isObject(value) ? value : undefined);
