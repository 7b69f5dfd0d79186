import { type BudgetPeriod, budgetApi, ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seededRandom } from '../../testing/relay/random-requests.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;
const steps = 40;
const hourMs = 3_600_000;

// A few days before clocks change in Europe and then in America.
const beginning = Date.parse('2026-10-22T07:13:20Z');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(beginning);
});
afterEach(() => void vi.useRealTimers());

/** Day, week or month of a date, computed independently of the production code. */
const periodNames: Readonly<Record<BudgetPeriod, (day: Date) => string>> = {
  all: () => '',
  day: (day) => day.toISOString().slice(0, 10),
  week: (day) => new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 24 * hourMs).toISOString().slice(0, 10),
  month: (day) => day.toISOString().slice(0, 7),
};

/** Reference model of a budget: quota used in the current period. */
class ExpectedBudget {
  readonly amount: number;
  readonly #nameOf: () => string;
  #name = '';
  #used = 0;

  constructor(amount: number, period: BudgetPeriod, timeZone: string) {
    this.amount = amount;
    const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
    this.#nameOf = () => periodNames[period](new Date(`${format.format(Date.now())}T00:00:00Z`));
  }

  get used(): number {
    const name = this.#nameOf();
    if (name !== this.#name) this.#used = 0;
    this.#name = name;
    return this.#used;
  }

  add(points: number): void {
    this.#used = this.used + points;
  }
}

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Asia/Tokyo'] as const;
const periods = ['day', 'week', 'month', 'all'] as const;

test.each([1, 2, 3, 4, 5, 6])(
  '[A39.1] random sequential and concurrent requests never exceed a budget and can use all of it (schedule %i)',
  async (seed) => {
    await using app = await startTestApp();
    const random = seededRandom(seed);
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const make = async (owner: { kind: 'token' | 'user' | 'group'; owner_id?: number; group?: string }) => {
      const terms = {
        amount: reserved + Math.floor(random() * 6 * reserved),
        period: oneOf(periods),
        time_zone: oneOf(zones),
      };
      const { id } = await scene.admin.call(budgetApi.create, { body: { ...owner, ...terms } });
      return { id, expected: new ExpectedBudget(terms.amount, terms.period, terms.time_zone) };
    };
    const budgets = [
      await make({ kind: 'token', owner_id: scene.token.id }),
      await make({ kind: 'user', owner_id: scene.user.id }),
      await make({ kind: 'group', group: scene.group }),
    ];
    const left = () => Math.min(...budgets.map(({ expected }) => expected.amount - expected.used));
    let [served, rejected] = [0, 0];
    for (let step = 0; step < steps; step += 1) {
      if (random() < 0.5) vi.setSystemTime(Date.now() + random() * 15 * hourMs);
      const count = random() < 0.4 ? 1 + Math.floor(random() * 5) : 1;
      const room = left();
      const responses = await Promise.all(Array.from({ length: count }, () => scene.chat({ max_tokens: 10 })));
      const statuses = responses.map(({ status }) => status);
      await Promise.all(responses.map((response) => response.text()));
      const fine = statuses.filter((status) => status === 200).length;
      for (const { expected } of budgets) expected.add(fine * plainPrice);
      // At least as many requests are admitted as fit concurrently; a finished request makes room for another.
      expect(fine).toBeGreaterThanOrEqual(Math.min(count, Math.floor(room / reserved)));
      expect(left()).toBeGreaterThanOrEqual(0);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      served += fine;
      rejected += count - fine;
    }
    expect([served > 0, rejected > 0]).toEqual([true, true]);
    const admin = await app.as('admin');
    const listedBudgets = await admin.call(budgetApi.list, { query: {} });
    for (const { id, expected } of budgets)
      expect(listedBudgets.find((one) => one.id === id)?.used).toBe(expected.used);
    expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
    await scene.close();
  },
);
