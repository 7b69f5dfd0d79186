import type { Caller } from '../ports/ports.ts';
import { type Price, priceAt } from '../quota/price.ts';
import {
  highestCompletionRatio,
  maxQuotaOf,
  pointsPerRequest,
  quotaOf,
  replaceCompletion,
  type TokenCount,
  weightedPromptTokens,
} from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import { capAtLimit, maxCountForLimit, maxEstimateForLimit } from './output-limit.ts';
import type { UsageCounter } from './usage-counter.ts';

interface Metered {
  readonly reservation: Reservation;
  readonly price: Price;
  readonly caller: Pick<Caller, 'findMore' | 'isBalanceUnknown'>;
  readonly length: ResponseLength;
  readonly counter: UsageCounter;
  /** Prompt tokens, estimated by length. */
  readonly prompt: number;
  /** Output limit set by the request; undefined without one. */
  readonly limit: number | undefined;
}

/** True, or the reason why the stream must end. */
type Verdict = true | ExtensionFailure;

/**
 * Ensures that a stream is never delivered on credit. Reserves by length, which is fast but overestimates, so the
 * tokens are counted before a stream is ended. A stream within its own limit never needs more than that limit.
 */
export class StreamMeter {
  readonly #metered: Metered;
  #prompt: number;
  /** Last token count, with the estimate by length at that time. */
  #counted = { tokens: 0, read: 0 };

  constructor(metered: Metered) {
    this.#metered = metered;
    this.#prompt = metered.prompt;
  }

  /** Returns true if the content read so far may be delivered; a promise if the quota must be checked. */
  allows(): Verdict | Promise<Verdict> {
    const { limit, reservation } = this.#metered;
    const read = this.#estimate();
    const points = this.#pointsFor(read);
    if (!this.#isAboveLimit(read)) return reservation.extendTo(points) || this.#search(points);
    // An estimate above the limit is most likely wrong. It is not checked again for a while if the balance covers it.
    const isBelieved = read <= maxEstimateForLimit(limit ?? 0) && reservation.canExtendTo(points);
    return isBelieved || this.#count();
  }

  /**
   * Caps the usage at the reservation, because text with more tokens than its length suggests was already delivered.
   */
  affordable(used: TokenCount): TokenCount {
    const { reservation } = this.#metered;
    const price = priceAt(this.#metered.price, used.prompt);
    if (reservation.extendTo(quotaOf(used, price))) return used;
    const ratio = price.model_ratio * price.group_ratio;
    // The price does not depend on the number of tokens.
    if (ratio === 0) return used;
    const tokens = (reservation.spendable - pointsPerRequest(price)) / ratio - weightedPromptTokens(used, price);
    const max = Math.floor(Math.max(tokens, 0) / Math.max(highestCompletionRatio(price), Number.MIN_VALUE));
    return replaceCompletion(used, Math.min(used.completion, max));
  }

  /** Tokens so far: those counted, plus an estimate of the rest by length. */
  #estimate(): number {
    return this.#counted.tokens + this.#metered.length.read - this.#counted.read;
  }

  /** True if the response exceeds its limit by length but not by token count. */
  #isAboveLimit(read: number): boolean {
    const { limit = Number.POSITIVE_INFINITY } = this.#metered;
    return read > limit && this.#counted.tokens <= maxCountForLimit(limit);
  }

  #pointsFor(completion: number): number {
    return maxQuotaOf({ prompt: this.#prompt, completion }, this.#metered.price);
  }

  async #search(points: number): Promise<Verdict> {
    const { reservation, caller } = this.#metered;
    const extended = await extendReservation(reservation, points, caller);
    return extended === true || reservation.isSettled ? extended : this.#count();
  }

  async #count(): Promise<Verdict> {
    const { length, limit, counter, reservation, caller } = this.#metered;
    const estimate = this.#estimate();
    const { read } = length;
    const [tokens, prompt] = await Promise.all([length.count(), counter.prompt()]);
    // Without a token count, the response is assumed to respect its limit as long as that is plausible.
    if (tokens === undefined && this.#isAboveLimit(estimate) && estimate <= maxEstimateForLimit(limit ?? 0))
      return true;
    this.#counted = { tokens: tokens ?? estimate, read };
    this.#prompt = prompt ?? this.#prompt;
    return extendReservation(
      reservation,
      this.#pointsFor(capAtLimit(this.#counted.tokens, limit, maxCountForLimit)),
      caller,
    );
  }
}

/**
 * Reason why an in-flight request cannot reserve more: quota or budget exhausted, cost limit reached, or the balance is
 * unknown.
 */
export type ExtensionFailure = 'quota' | 'budget' | 'cost_limit' | 'out_of_touch';

const usedUp = (reservation: Reservation, points: number): ExtensionFailure =>
  reservation.isShortOfBudget(points) ? 'budget' : 'quota';

/**
 * Extends the reservation to this amount and returns true on success. Synchronous if the local balance is sufficient;
 * otherwise waits for points from other nodes, as for a new request.
 */
export function extendReservation(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isBalanceUnknown'>,
): true | ExtensionFailure | Promise<true | ExtensionFailure> {
  if (reservation.extendTo(points)) return true;
  if (reservation.isBeyondLimit(points)) return 'cost_limit';
  // The request has ended, so more points would go unused.
  if (reservation.isSettled || !caller.findMore) return usedUp(reservation, points);
  return extendFromOtherNodes(reservation, points, caller);
}

async function extendFromOtherNodes(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isBalanceUnknown'>,
): Promise<true | ExtensionFailure> {
  try {
    await caller.findMore?.(points - reservation.held);
  } catch {
    // The database could not be reached.
    return reservation.extendTo(points) || 'out_of_touch';
  }
  if (reservation.extendTo(points)) return true;
  return caller.isBalanceUnknown ? 'out_of_touch' : usedUp(reservation, points);
}
