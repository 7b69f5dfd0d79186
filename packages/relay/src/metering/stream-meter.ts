import type { Caller } from '../ports/ports.ts';
import { type Price, priceAt } from '../quota/price.ts';
import { mostQuotaOf, promptWeight, quotaOf, type TokenCount, withCompletion } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { AnswerLength } from '../tokens/answer-length.ts';
import { extendReserve, type RunningShortage } from './extend-reserve.ts';
import type { OwnCount } from './own-count.ts';
import { mostCountOf, mostEstimateOf, withinLimit } from './own-limit.ts';

interface Metered {
  readonly reservation: Reservation;
  readonly price: Price;
  readonly caller: Pick<Caller, 'findMore' | 'isOutOfTouch'>;
  readonly length: AnswerLength;
  readonly own: OwnCount;
  /** Tokens of the prompt, by its length. */
  readonly prompt: number;
  /** Tokens that the answer may have by the request's own words; undefined when it says nothing of that. */
  readonly limit: number | undefined;
}

/** True, or why not. */
type Verdict = true | RunningShortage;

/**
 * Sees to it that a stream is not delivered on credit. It holds what was read by its length, which is quick and too much: before
 * it ends a stream it has the tokens counted. Of a stream that keeps to its own limit no more is ever needed than that.
 */
export class StreamMeter {
  readonly #metered: Metered;
  #prompt: number;
  /** The last time the tokens were counted: how many there were, and how many by their length. */
  #counted = { tokens: 0, read: 0 };

  constructor(metered: Metered) {
    this.#metered = metered;
    this.#prompt = metered.prompt;
  }

  /** Whether what was read may be delivered; later, where that must be found out. */
  allows(): Verdict | Promise<Verdict> {
    const { limit, reservation } = this.#metered;
    const read = this.#estimate();
    const points = this.#pointsFor(read);
    if (!this.#isAboveLimit(read)) return reservation.extendTo(points) || this.#search(points);
    // Most likely it is not. Whoever has the money for more is believed for a while.
    const isBelieved = read <= mostEstimateOf(limit ?? 0) && reservation.canExtendTo(points);
    return isBelieved || this.#count();
  }

  /** No more than is held: a text that is denser than it is long was delivered on trust. */
  affordable(used: TokenCount): TokenCount {
    const { reservation } = this.#metered;
    const price = priceAt(this.#metered.price, used.prompt);
    if (reservation.extendTo(quotaOf(used, price))) return used;
    const tokens = reservation.spendable / (price.model_ratio * price.group_ratio) - promptWeight(used, price);
    const dearest = price.completion_ratio * Math.max(1, price.reasoning_ratio ?? 1);
    const most = Math.floor(Math.max(tokens, 0) / Math.max(dearest, Number.MIN_VALUE));
    return withCompletion(used, Math.min(used.completion, most));
  }

  /** Tokens that were read: those that were counted, and the others by their length. */
  #estimate(): number {
    return this.#counted.tokens + this.#metered.length.read - this.#counted.read;
  }

  /** Whether the answer is above its limit by its length, and was not counted to be so. */
  #isAboveLimit(read: number): boolean {
    const { limit = Number.POSITIVE_INFINITY } = this.#metered;
    return read > limit && this.#counted.tokens <= mostCountOf(limit);
  }

  #pointsFor(completion: number): number {
    return mostQuotaOf({ prompt: this.#prompt, completion }, this.#metered.price);
  }

  async #search(points: number): Promise<Verdict> {
    const { reservation, caller } = this.#metered;
    const extended = await extendReserve(reservation, points, caller);
    return extended === true || reservation.isSettled ? extended : this.#count();
  }

  async #count(): Promise<Verdict> {
    const { length, limit, own, reservation, caller } = this.#metered;
    const estimate = this.#estimate();
    const { read } = length;
    const [tokens, prompt] = await Promise.all([length.count(), own.prompt()]);
    // Where nobody can count it is believed to keep to its limit, as long as that can be.
    if (tokens === undefined && this.#isAboveLimit(estimate) && estimate <= mostEstimateOf(limit ?? 0)) return true;
    this.#counted = { tokens: tokens ?? estimate, read };
    this.#prompt = prompt ?? this.#prompt;
    return extendReserve(reservation, this.#pointsFor(withinLimit(this.#counted.tokens, limit, mostCountOf)), caller);
  }
}
