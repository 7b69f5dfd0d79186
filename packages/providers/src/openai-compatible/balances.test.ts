import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { BalanceCall, Provider } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import * as vendors from './vendors.ts';

const balanceOf = ({ balance }: Provider): BalanceCall => {
  if (!balance) throw new Error('this vendor reports no balance');
  return balance;
};

const row = (name: string, provider: Provider, path: string, reported: readonly [body: unknown, balance: number]) => ({
  name,
  provider,
  path,
  reported,
});

const bearer = { authorization: 'Bearer test-key' };

describe.each([
  row('CloseAI', vendors.closeAi, '/dashboard/billing/credit_grants', [{ total_available: 12.5 }, 12.5]),
  row('API2GPT', vendors.api2gpt, '/dashboard/billing/credit_grants', [{ total_remaining: 3 }, 3]),
  row('AIGC2D', vendors.aigc2d, '/dashboard/billing/credit_grants', [{ total_available: 700 }, 700]),
  row('OpenAI-SB', vendors.openaiSb, '/sb-api/user/status?api_key=test-key', [{ data: { credit: '12345' } }, 12345]),
  row('OpenRouter', vendors.openRouter, '/v1/credits', [{ data: { total_credits: 10, total_usage: 2.5 } }, 7.5]),
  row('DeepSeek', vendors.deepSeek, '/user/balance', [
    {
      balance_infos: [
        { currency: 'USD', total_balance: '1.00' },
        { currency: 'CNY', total_balance: '110.00' },
      ],
    },
    110,
  ]),
  row('SiliconFlow', vendors.siliconFlow, '/v1/user/info', [{ code: 20000, data: { totalBalance: '88.80' } }, 88.8]),
  row('Moonshot', vendors.moonshot, '/v1/users/me/balance', [{ code: 0, data: { available_balance: -1.5 } }, -1.5]),
])('$name balance', ({ provider, path, reported: [body, balance] }) => {
  test('requests the balance and reads the amount', () => {
    const call = balanceOf(provider);
    expect(call.requests(testUpstream)).toEqual([
      { method: 'GET', url: `https://upstream.test${path}`, headers: bearer },
    ]);
    expect(call.read([body])).toBe(balance);
  });

  test.each([{}, null, 'x', { data: null }, { data: { credit: 'much', totalBalance: '' } }, []])(
    'fails on a response without a balance: %j',
    (odd) => {
      expect(() => balanceOf(provider).read([odd])).toThrow(UpstreamProblem);
    },
  );
});

test("reads AI Proxy's points from its website, with a separate header", () => {
  const call = balanceOf(vendors.aiProxy);
  expect(call.requests({ ...testUpstream, baseUrl: 'https://api.aiproxy.io' })).toEqual([
    { method: 'GET', url: 'https://aiproxy.io/api/report/getUserOverview', headers: { 'api-key': 'test-key' } },
  ]);
  expect(call.read([{ data: { totalPoints: 42 } }])).toBe(42);
});

describe('OpenAI balance', () => {
  const call = balanceOf(vendors.openai);

  test("requests the limit, this month's usage and the usage of the last hundred days", () => {
    const now = Date.UTC(2025, 2, 9, 23, 59);
    expect(call.requests({ ...testUpstream, now }).map(({ url }) => url.replace('https://upstream.test', ''))).toEqual([
      '/v1/dashboard/billing/subscription',
      '/v1/dashboard/billing/usage?start_date=2025-03-01&end_date=2025-03-09',
      '/v1/dashboard/billing/usage?start_date=2024-11-29&end_date=2025-03-09',
    ]);
  });

  test('subtracts the monthly or the total usage from the limit, depending on the account', () => {
    const use = [{ total_usage: 250 }, { total_usage: 900 }];
    expect(call.read([{ hard_limit_usd: 120, has_payment_method: true }, ...use])).toBe(117.5);
    expect(call.read([{ hard_limit_usd: 18, has_payment_method: false }, ...use])).toBe(9);
    expect(() => call.read([{}, ...use])).toThrow(UpstreamProblem);
    expect(() => call.read([{ hard_limit_usd: 18 }, {}, {}])).toThrow(UpstreamProblem);
  });
});
