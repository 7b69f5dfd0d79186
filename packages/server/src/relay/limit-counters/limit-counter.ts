import { type LimitMeasure, limitMeasures } from '@headgate/contract';
import { type AgedAmount, SlidingWindow } from './sliding-window.ts';

/** What counts against one limit, of one user or token, or of all together: known here, whichever node it happened on. */
export abstract class LimitCounter {
  /** Let in here before the other nodes have heard of it. */
  untold = 0;
  /** Asked for here, and let in when the notice of it has come back. */
  pending = 0;
  /** Let in here while nobody here knew what the others had let in. */
  strictly = 0;

  abstract total(now: number): number;
  abstract add(amount: number, now: number): void;
  /** Changes what was added here at a moment. */
  abstract correct(difference: number, at: number, now: number): void;
  /** Milliseconds until there is no more than `most`; undefined where nobody knows. */
  abstract msUntil(most: number, now: number): number | undefined;
  get isUnused(): boolean {
    return this.untold === 0 && this.pending === 0;
  }
}

/** Requests or tokens of a time that ends now. */
export class WindowCounter extends LimitCounter {
  readonly #windowMs: number;
  #window: SlidingWindow;
  /** What is counted since a question, while it is not answered. */
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

  msUntil(most: number, now: number): number {
    return this.#window.msUntil(most, now);
  }

  told(now: number): readonly AgedAmount[] {
    return this.#window.told(now);
  }

  /** All that counts so far will be told by others, but what they have not heard. */
  beginAnew(now: number): void {
    this.#since = new SlidingWindow(this.#windowMs);
    this.#since.add(this.untold + this.pending, now);
  }

  /** What counted when it began anew is known now. */
  goOnFrom(told: readonly AgedAmount[], now: number): void {
    this.#window = this.#since ?? this.#window;
    this.#since = undefined;
    this.#window.addTold(told, now);
  }
}

/** Requests that have not ended. */
export class UnderWayCounter extends LimitCounter {
  /** Of this node. */
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

  hear(node: string, count: number): void {
    this.#elsewhere += count - (this.#others.get(node) ?? 0);
    if (count > 0) this.#others.set(node, count);
    else this.#others.delete(node);
  }

  *others(): Iterable<readonly [node: string, count: number]> {
    yield* this.#others;
  }
}

export type CountedMeasure = Exclude<LimitMeasure, 'cost_per_request'>;

export function counterOf(measure: CountedMeasure): LimitCounter {
  const row = limitMeasures[measure];
  return 'windowSeconds' in row ? new WindowCounter(row.windowSeconds * 1000) : new UnderWayCounter();
}
