import { type CountedMeasure, createCounter, type LimitCounter, WindowCounter } from './limit-counter.ts';
import type { SlotAmount } from './sliding-window.ts';

/**
 * Counter name, identical on every node: rule, measure and owner. The owner is 0 if the rule counts all requests
 * together.
 */
export type CounterKey = `${number}${string}${number}`;

const codes = {
  requests_per_minute: 'r',
  tokens_per_minute: 't',
  tokens_per_day: 'd',
  requests_under_way: 'u',
  cost_per_day: 'c',
} as const satisfies Record<CountedMeasure, string>;

const measuresByCode: ReadonlyMap<string, CountedMeasure> = new Map(
  Object.entries(codes).map(([measure, code]) => [code, measure as CountedMeasure]),
);

export const counterKey = (rule: number, measure: CountedMeasure, owner: number): CounterKey =>
  `${rule}${codes[measure]}${owner}`;

const keyForm = /^([1-9]\d{0,14})([a-z])(\d{1,15})$/;

/** True for a measure whose usage is kept across restarts. */
const isDaily = (measure: CountedMeasure | undefined): boolean =>
  measure === 'tokens_per_day' || measure === 'cost_per_day';

/** Undefined for a key that this version does not support. */
export const counterMeasure = (key: string): CountedMeasure | undefined =>
  measuresByCode.get(keyForm.exec(key)?.[2] ?? '');

const ruleOf = (key: string): number => Number.parseInt(key, 10);

/** Maximum number of counters; limits beyond it are not enforced. */
export const maxCounters = 200_000;
const sweepEveryMs = 60_000;

/** Counters of all limits in use. */
export class LimitCounters {
  readonly #counters = new Map<string, LimitCounter>();
  #sweptAt = 0;

  get(key: CounterKey, measure: CountedMeasure, now: number): LimitCounter {
    const known = this.#counters.get(key);
    if (known) return known;
    this.#sweep(now);
    const counter = createCounter(measure);
    if (this.#counters.size < maxCounters) this.#counters.set(key, counter);
    return counter;
  }

  /** True if at least half of the counters are in use and this key has none yet. */
  isCrowded(key: CounterKey): boolean {
    return this.#counters.size >= maxCounters / 2 && !this.#counters.has(key);
  }

  /** Counter named in a message from another node; undefined if this version does not have its measure. */
  named(key: string, now: number): LimitCounter | undefined {
    const measure = counterMeasure(key);
    return measure && this.get(key as CounterKey, measure, now);
  }

  /** Daily counters, which are saved across restarts. */
  *ofDays(now: number): Iterable<readonly [string, readonly SlotAmount[]]> {
    for (const [key, counter] of this.#counters)
      if (counter instanceof WindowCounter && isDaily(counterMeasure(key))) yield [key, counter.slotAmounts(now)];
  }

  /** Restores amounts from before this process started. */
  remember(key: string, reported: readonly SlotAmount[], now: number): void {
    const counter = this.named(key, now);
    if (counter instanceof WindowCounter) counter.goOnFrom(reported, now);
  }

  entries(): Iterable<[string, LimitCounter]> {
    return this.#counters;
  }

  /** Highest current usage per rule. Scans all counters once, regardless of the number of requested rules. */
  maxOf(rules: readonly number[], now: number): ReadonlyMap<number, number> {
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
