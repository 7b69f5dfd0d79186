import { type LimitMeasure, limitMeasures } from '@headgate/contract';
import { SlidingWindow, type SlotAmount } from './sliding-window.ts';

/** Usage of one limit on all nodes, by one user or token, or by all together. */
export abstract class LimitCounter {
  /** Amount admitted here before the other nodes were notified. */
  unannounced = 0;
  /** Amount requested here; admitted when this node receives its own notification. */
  pending = 0;
  /** Amount admitted here while the usage of the other nodes was unknown. */
  admittedBlindly = 0;

  abstract total(now: number): number;
  abstract add(amount: number, now: number): void;
  /** Corrects an amount that was added here earlier. */
  abstract correct(difference: number, at: number, now: number): void;
  /** Milliseconds until at most `most` is used; undefined if unknown. */
  abstract msUntil(max: number, now: number): number | undefined;
  get isUnused(): boolean {
    return this.unannounced === 0 && this.pending === 0;
  }
}

/** Requests or tokens within a sliding window. */
export class WindowCounter extends LimitCounter {
  readonly #windowMs: number;
  #window: SlidingWindow;
  /** Counts since a catch-up request that has no response yet. */
  #since: SlidingWindow | undefined;

  constructor(windowMs: number) {
    super();
    this.#windowMs = windowMs;
    this.#window = new SlidingWindow(windowMs);
  }

  total(now: number): number {
    return this.#window.total(now);
  }

  add(amount: number, now: number): void {
    this.#window.add(amount, now);
    this.#since?.add(amount, now);
  }

  correct(difference: number, at: number, now: number): void {
    this.#window.correct(difference, at, now);
    this.#since?.correct(difference, at, now);
  }

  msUntil(max: number, now: number): number {
    return this.#window.msUntil(max, now);
  }

  slotAmounts(now: number): readonly SlotAmount[] {
    return this.#window.slotAmounts(now);
  }

  /** Starts a new window. Other nodes will report everything up to now, except updates they have not received. */
  restart(now: number): void {
    this.#since = new SlidingWindow(this.#windowMs);
    this.#since.add(this.unannounced + this.pending, now);
  }

  /** Adds the reported amounts that precede the new window. */
  goOnFrom(reported: readonly SlotAmount[], now: number): void {
    this.#window = this.#since ?? this.#window;
    this.#since = undefined;
    this.#window.addReported(reported, now);
  }
}

/** In-flight requests. */
export class InFlightCounter extends LimitCounter {
  /** Requests on this node. */
  own = 0;
  readonly #others = new Map<string, number>();
  #elsewhere = 0;

  total(): number {
    return this.own + this.#elsewhere;
  }

  add(amount: number): void {
    this.own += amount;
  }

  correct(difference: number): void {
    this.own += difference;
  }

  msUntil(): undefined {
    return undefined;
  }

  receive(node: string, count: number): void {
    this.#elsewhere += count - (this.#others.get(node) ?? 0);
    if (count > 0) this.#others.set(node, count);
    else this.#others.delete(node);
  }

  *others(): Iterable<readonly [node: string, count: number]> {
    yield* this.#others;
  }
}

export type CountedMeasure = Exclude<LimitMeasure, 'cost_per_request'>;

export function createCounter(measure: CountedMeasure): LimitCounter {
  const row = limitMeasures[measure];
  return 'windowSeconds' in row ? new WindowCounter(row.windowSeconds * 1000) : new InFlightCounter();
}
