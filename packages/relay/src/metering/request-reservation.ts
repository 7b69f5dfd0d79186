import type { Caller } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isTooDeepError, tooDeepError } from '../ports/relay-error.ts';
import type { Price } from '../quota/price.ts';
import { maxQuotaOf, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { insufficientQuotaError } from './insufficient-quota-error.ts';
import { extendReservation } from './stream-meter.ts';
import type { UsageCounter } from './usage-counter.ts';

interface ReservedRequest {
  readonly request: RelayRequest;
  readonly caller: Caller;
  /** Determines the price. */
  readonly group: string;
  readonly estimate: UsageEstimate;
  readonly counter: UsageCounter;
  /** Channels that may serve the request. */
  readonly channels: readonly RelayChannel[];
  readonly priceOn: (channel: RelayChannel) => Price;
}

/**
 * Multiple of the request's cost: if the balance exceeds it, over-reserving does not cause other requests to be
 * rejected.
 */
const plenty = 16;
/** Bytes of the longest token in any vocabulary. */
const maxBytesPerToken = 256;

interface CloserPoints {
  /** Minimum free points to admit the request. */
  readonly needed: number;
  /** Points reserved if the balance allows. */
  readonly bound: number;
}

/**
 * Share of a small balance that one request reserves: the bound, or an equal share for each request that the balance
 * covers, so that a safety margin never displaces another request.
 */
const fairShare = (free: number, needed: number, bound: number): number =>
  Math.min(bound, Math.floor(free / Math.max(1, Math.floor(free / Math.max(needed, 1)))));

/** Reserves what one request may cost. */
export class RequestReservation {
  readonly #held: ReservedRequest;

  constructor(held: ReservedRequest) {
    this.#held = held;
  }

  #freeFor(points: number): number {
    const { caller, group, request } = this.#held;
    return caller.freeFor?.(group, request.model, points) ?? caller.free;
  }

  /** Reserves by a bound that is free to compute; undefined if counting the prompt may admit more requests. */
  reserveAtOnce(): Reservation | undefined {
    const { caller, estimate, group, request } = this.#held;
    const { most, least } = estimate;
    const points = this.#pointsFor(most);
    if (!least && this.#freeFor(points) < points * plenty && this.#isWorthCounting(most, points)) return undefined;
    const reserved = caller.reserve(points, least && this.#pointsFor(least), group, request.model);
    return typeof reserved === 'string' ? undefined : reserved;
  }

  /** True if the free balance may cover more requests of this size than the bound suggests. */
  #isWorthCounting(most: TokenCount, points: number): boolean {
    const free = this.#freeFor(points);
    return Math.floor(free / points) < Math.floor(free / Math.max(this.#fewestPoints(most), 1));
  }

  /** Minimum points to admit the request, from a bound that is free to compute. */
  minPoints(): number {
    const { most, least } = this.#held.estimate;
    return this.#pointsFor(least ?? most);
  }

  /** Reserves by the prompt's token count; missing points may come from other nodes. */
  async reserveClosely(): Promise<Reservation> {
    const { caller, request, estimate, group } = this.#held;
    const { most, least } = estimate;
    const { needed, bound } = await this.#closerPoints(least ?? most);
    const reserve = () =>
      caller.reserve(
        least ? this.#pointsFor(most) : fairShare(this.#freeFor(needed), needed, bound),
        needed,
        group,
        request.model,
      );
    const reserved = reserve();
    if (typeof reserved !== 'string') return reserved;
    await caller.findMore?.(needed);
    const found = caller.findMore ? reserve() : reserved;
    const { limitField } = request.kind.dialect;
    if (typeof found === 'string') {
      const field = request.completionLimit === undefined ? limitField : undefined;
      throw caller.explain?.(found) ?? insufficientQuotaError(found, field);
    }
    return found;
  }

  /**
   * Increases the reservation made for another model to the amount that this model needs; false if the balance is too
   * low.
   */
  async extend(reservation: Reservation): Promise<boolean> {
    const { caller, estimate, group, request } = this.#held;
    const { most, least } = estimate;
    const going = caller.moveToGroup?.(group, reservation, request.model) ?? true;
    if (!(going instanceof Promise ? await going : going)) return false;
    if (reservation.extendTo(this.#pointsFor(most))) return true;
    const { needed } = await this.#closerPoints(least ?? most);
    return (await extendReservation(reservation, needed, caller)) === true;
  }

  /** Points from a token count of the prompt. Does not count if even the shortest possible prompt is unaffordable. */
  async #closerPoints(tokens: TokenCount): Promise<CloserPoints> {
    const { caller, counter, channels } = this.#held;
    const fewest = this.#fewestPoints(tokens);
    if (this.#freeFor(fewest) < fewest && !caller.findMore) return { needed: fewest, bound: fewest };
    try {
      const { expected, bound } = await counter.closePrompt(channels);
      const pointsFor = (prompt: number) => this.#pointsFor({ ...tokens, prompt: Math.min(tokens.prompt, prompt) });
      return { needed: pointsFor(expected), bound: pointsFor(bound) };
    } catch (error) {
      throw isTooDeepError(error) ? tooDeepError() : error;
    }
  }

  /** Points if every token of the prompt had the maximum length. */
  #fewestPoints(tokens: TokenCount): number {
    return this.#pointsFor({ ...tokens, prompt: Math.ceil(tokens.prompt / maxBytesPerToken) });
  }

  /** On the most expensive of the channels that may serve the request. */
  #pointsFor(tokens: TokenCount): number {
    const { channels, priceOn, request } = this.#held;
    let points = 0;
    let type: number | undefined;
    let sentAs: string | undefined;
    for (const channel of channels) {
      const name = channel.modelMapping.get(request.model);
      if (channel.type === type && name === sentAs) continue;
      type = channel.type;
      sentAs = name;
      points = Math.max(points, maxQuotaOf(tokens, priceOn(channel)));
    }
    return points;
  }
}
