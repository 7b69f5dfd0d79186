import { budgetApi, ledgerApi, ownBudgetApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };
/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-10-24T21:59:00Z');
});

afterEach(() => void vi.useRealTimers());

describe('[A39.3] end of a budget period', () => {
  test('resets a budget at midnight in its time zone, including on the day of a clock change', async () => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const body = { owner_id: scene.token.id, amount: reserved, period: 'day', time_zone: 'Europe/Berlin' } as const;
    await scene.client.call(ownBudgetApi.create, { body });
    const send = async () => (await scene.chat({ max_tokens: 10 })).status;
    expect([await send(), await send()]).toEqual([200, 429]);
    vi.setSystemTime('2026-10-24T22:00:00Z');
    expect([await send(), await send()]).toEqual([200, 429]);
    // This day has 25 hours.
    vi.setSystemTime('2026-10-25T22:30:00Z');
    expect(await send()).toBe(429);
    vi.setSystemTime('2026-10-25T23:00:00Z');
    expect([await send(), await send()]).toEqual([200, 429]);
    expect(await scene.client.call(ownBudgetApi.list)).toMatchObject([{ used: plainPrice }]);
    // Setting the clock back does not start a period again.
    vi.setSystemTime('2026-10-25T21:00:00Z');
    expect(await send()).toBe(429);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });

  test('charges a request to the period in which it started', async () => {
    await using app = await startTestApp();
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const scene = await relayFixture(app, {
      upstreams: [
        async (response, request) => {
          if (request.body['max_tokens'] === 9) {
            arrived.resolve();
            await opened.promise;
          }
          await completion()(response, request);
        },
      ],
    });
    const body = { kind: 'group', group: scene.group, amount: reserved * 2, period: 'day' } as const;
    await scene.admin.call(budgetApi.create, { body });
    vi.setSystemTime('2026-10-24T23:59:59Z');
    const slow = scene.chat({ max_tokens: 9 });
    await arrived.promise;
    vi.setSystemTime('2026-10-25T00:00:01Z');
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
    opened.resolve();
    expect((await slow).status).toBe(200);
    const periods = await app.database.selectFrom('budget_periods').selectAll().orderBy('start_time').execute();
    expect(periods).toHaveLength(2);
    expect(await scene.admin.call(budgetApi.list, { query: {} })).toMatchObject([{ used: plainPrice }]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });
});

test('[A39.4] sends one notification each at 50 %, 80 % and 100 % of a budget', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const reached = async () => {
    const rows = await app.database.selectFrom('logs').select('content').where('type', '=', 4).orderBy('id').execute();
    return rows.flatMap(({ content }) => /^(\d+)% of the budget of token relay/.exec(content)?.[1] ?? []);
  };
  const body = { owner_id: scene.token.id, amount: plainPrice * 10, period: 'all' } as const;
  const { id } = await scene.client.call(ownBudgetApi.create, { body });
  // With max_tokens 5 a request reserves exactly its cost, so the whole budget can be used.
  const send = async () => (await scene.chat({ max_tokens: 5 })).status;
  const sendTimes = async (times: number) => {
    for (let count = 0; count < times; count += 1) expect(await send()).toBe(200);
    await waitUntilTotalsApplied(app);
  };
  await sendTimes(4);
  expect(await reached()).toEqual([]);
  await sendTimes(1);
  await expect.poll(reached).toEqual(['50']);
  await sendTimes(3);
  await expect.poll(reached).toEqual(['50', '80']);
  await sendTimes(2);
  await expect.poll(reached).toEqual(['50', '80', '100']);
  expect(await send()).toBe(429);
  await scene.client.call(ownBudgetApi.reset, { params: { id } });
  await sendTimes(3);
  expect(await reached()).toEqual(['50', '80', '100']);
  await scene.close();
});
