import type { Caller } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isTooDeep, tooDeep } from '../ports/too-deep.ts';
import type { Price } from '../quota/price.ts';
import { mostQuotaOf, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { extendReserve } from './extend-reserve.ts';
import type { OwnCount } from './own-count.ts';
import { shortageError } from './shortage-error.ts';

interface HeldRequest {
  readonly request: RelayRequest;
  readonly caller: Caller;
  /** Which decides the price. */
  readonly group: string;
  readonly estimate: UsageEstimate;
  readonly own: OwnCount;
  /** Channels that may answer. */
  readonly channels: readonly RelayChannel[];
  readonly priceOn: (channel: RelayChannel) => Price;
}

/** How many times the cost of a request somebody must have, so that holding more than needed does not hurt. */
const plenty = 16;
/** Bytes of the longest token there is. */
const mostBytesPerToken = 256;

interface CloserPoints {
  /** What must be there to admit the request. */
  readonly needed: number;
  /** What is reserved where the balance has room for it. */
  readonly bound: number;
}

/**
 * What one request reserves of a small balance: the bound, or an equal share for each of the requests that the balance
 * covers, so that a margin never takes the place of a request.
 */
const fairShare = (free: number, needed: number, bound: number): number =>
  Math.min(bound, Math.floor(free / Math.max(1, Math.floor(free / Math.max(needed, 1)))));

/** Reserves what one request may cost. */
export class Holding {
  readonly #held: HeldRequest;

  constructor(held: HeldRequest) {
    this.#held = held;
  }

  /** Reserves by a bound that costs nothing to work out; undefined where counting the prompt may admit more requests. */
  reserveAtOnce(): Reservation | undefined {
    const { caller, estimate, group } = this.#held;
    const { most, least } = estimate;
    const points = this.#pointsFor(most);
    if (!least && caller.free < points * plenty && this.#isWorthCounting(most, points)) return undefined;
    const reserved = caller.reserve(points, least && this.#pointsFor(least), group);
    return typeof reserved === 'string' ? undefined : reserved;
  }

  /** Whether the free balance may cover more requests like this one than it does by the bound. */
  #isWorthCounting(most: TokenCount, points: number): boolean {
    const { free } = this.#held.caller;
    return Math.floor(free / points) < Math.floor(free / Math.max(this.#fewestPoints(most), 1));
  }

  /** The least that must be there to let the request in, by a bound that costs nothing to work out. */
  leastPoints(): number {
    const { most, least } = this.#held.estimate;
    return this.#pointsFor(least ?? most);
  }

  /** Reserves by a count of the prompt; points that are not here may be found elsewhere. */
  async reserveClosely(): Promise<Reservation> {
    const { caller, request, estimate, group } = this.#held;
    const { most, least } = estimate;
    const { needed, bound } = await this.#closerPoints(least ?? most);
    const reserve = () =>
      caller.reserve(least ? this.#pointsFor(most) : fairShare(caller.free, needed, bound), needed, group);
    const reserved = reserve();
    if (typeof reserved !== 'string') return reserved;
    await caller.findMore?.(needed);
    const found = caller.findMore ? reserve() : reserved;
    const { limitField } = request.kind.dialect;
    if (typeof found === 'string') {
      const field = request.completionLimit === undefined ? limitField : undefined;
      throw caller.explain?.(found) ?? shortageError(found, field);
    }
    return found;
  }

  /** Holds no less than this takes, in what another model's request has held; false when that cannot be. */
  async extend(reservation: Reservation): Promise<boolean> {
    const { caller, estimate, group } = this.#held;
    const { most, least } = estimate;
    const going = caller.goOnIn?.(group, reservation) ?? true;
    if (!(going instanceof Promise ? await going : going)) return false;
    if (reservation.extendTo(this.#pointsFor(most))) return true;
    const { needed } = await this.#closerPoints(least ?? most);
    return (await extendReserve(reservation, needed, caller)) === true;
  }

  /** Points by a count of the prompt, which is not worth the work where even the shortest prompt cannot be paid for. */
  async #closerPoints(tokens: TokenCount): Promise<CloserPoints> {
    const { caller, own, channels } = this.#held;
    const fewest = this.#fewestPoints(tokens);
    if (caller.free < fewest && !caller.findMore) return { needed: fewest, bound: fewest };
    try {
      const { expected, bound } = await own.closePrompt(channels);
      const pointsFor = (prompt: number) => this.#pointsFor({ ...tokens, prompt: Math.min(tokens.prompt, prompt) });
      return { needed: pointsFor(expected), bound: pointsFor(bound) };
    } catch (error) {
      throw isTooDeep(error) ? tooDeep() : error;
    }
  }

  /** Points if every token of the prompt were as long as the longest. */
  #fewestPoints(tokens: TokenCount): number {
    return this.#pointsFor({ ...tokens, prompt: Math.ceil(tokens.prompt / mostBytesPerToken) });
  }

  /** On the dearest of the channels that may answer. */
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
      points = Math.max(points, mostQuotaOf(tokens, priceOn(channel)));
    }
    return points;
  }
}
