import { type CountedMeasure, counterOf, type LimitCounter, WindowCounter } from './limit-counter.ts';
import type { AgedAmount } from './sliding-window.ts';

/** Names a counter, on every node the same: a rule, what it counts, and whose; 0 where all are counted together. */
export type CounterKey = `${number}${string}${number}`;

const codes = {
  requests_per_minute: 'r',
  tokens_per_minute: 't',
  tokens_per_day: 'd',
  requests_under_way: 'u',
} as const satisfies Record<CountedMeasure, string>;

const measuresByCode: ReadonlyMap<string, CountedMeasure> = new Map(
  Object.entries(codes).map(([measure, code]) => [code, measure as CountedMeasure]),
);

export const counterKey = (rule: number, measure: CountedMeasure, owner: number): CounterKey =>
  `${rule}${codes[measure]}${owner}`;

const keyForm = /^([1-9]\d{0,14})([a-z])(\d{1,15})$/;

/** Undefined where it is no key of this version. */
export const measureOf = (key: string): CountedMeasure | undefined => measuresByCode.get(keyForm.exec(key)?.[2] ?? '');

const ruleOf = (key: string): number => Number.parseInt(key, 10);

/** More than this are not kept at once; a limit that is not kept refuses nobody. */
const mostCounters = 200_000;
const sweepEveryMs = 60_000;

/** The counters of all limits that are in use. */
export class LimitCounters {
  readonly #counters = new Map<string, LimitCounter>();
  #sweptAt = 0;

  get(key: CounterKey, measure: CountedMeasure, now: number): LimitCounter {
    const known = this.#counters.get(key);
    if (known) return known;
    this.#sweep(now);
    const counter = counterOf(measure);
    if (this.#counters.size < mostCounters) this.#counters.set(key, counter);
    return counter;
  }

  /** One that another node tells of; undefined where nobody here knows what it counts. */
  heard(key: string, now: number): LimitCounter | undefined {
    const measure = measureOf(key);
    return measure && this.get(key as CounterKey, measure, now);
  }

  /** Those of a whole day, which a restart must not forget. */
  *ofDays(now: number): Iterable<readonly [string, readonly AgedAmount[]]> {
    for (const [key, counter] of this.#counters)
      if (counter instanceof WindowCounter && measureOf(key) === 'tokens_per_day') yield [key, counter.told(now)];
  }

  /** What counted before this process began. */
  remember(key: string, told: readonly AgedAmount[], now: number): void {
    const counter = this.heard(key, now);
    if (counter instanceof WindowCounter) counter.goOnFrom(told, now);
  }

  entries(): Iterable<[string, LimitCounter]> {
    return this.#counters;
  }

  /** The most that counts now, of those of each of these rules. All are looked at once, however many rules are asked for. */
  mostOf(rules: readonly number[], now: number): ReadonlyMap<number, number> {
    const most = new Map(rules.map((rule) => [rule, 0]));
    for (const [key, counter] of this.#counters) {
      const rule = ruleOf(key);
      const known = most.get(rule);
      if (known !== undefined) most.set(rule, Math.max(known, counter.total(now)));
    }
    return most;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now;
    for (const [key, counter] of this.#counters)
      if (counter.isUnused && counter.total(now) === 0) this.#counters.delete(key);
  }
}
