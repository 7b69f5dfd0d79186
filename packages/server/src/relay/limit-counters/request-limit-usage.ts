import { limitMeasures } from '@headgate/contract';
import type { RemainingLimit, RemainingLimits } from '@headgate/dialects';
import type { ExpectedUsage, RelayError, RequestLimits } from '@headgate/relay';
import type { CountedMeasure, LimitCounter } from './limit-counter.ts';
import type { CounterKey } from './limit-counters.ts';
import { allChannelsLimited, limitReached, requestTooLarge } from './limit-messages.ts';
import type { LimitRule } from './limit-table.ts';

/** A limit, and the counter that a request uses in it. */
export interface CountedLimit {
  readonly rule: LimitRule;
  readonly key: CounterKey;
  readonly measure: CountedMeasure;
  readonly counter: LimitCounter;
}

/** Counts on this node and on other nodes. */
export interface LimitCounting {
  now(): number;
  /**
   * Returns whether the amount may be counted; a promise if it must wait for other nodes. The amount counts from the
   * call on unless it is rejected.
   */
  take(place: CountedLimit, amount: number): boolean | Promise<boolean>;
  /** Corrects an amount that was counted earlier. */
  correct(place: CountedLimit, difference: number, at: number): void;
}

interface Taken {
  readonly place: CountedLimit;
  readonly amount: number;
  readonly at: number;
}

interface RequestLimitSet {
  readonly model: string;
  readonly ofCaller: readonly CountedLimit[];
  /** Cost limits per request. */
  readonly costs: readonly LimitRule[];
  readonly ofChannels: readonly CountedLimit[];
  /** Cost limits per request on a channel. */
  readonly costsOfChannels: readonly LimitRule[];
}

interface UsedAmounts {
  readonly tokens: number;
  readonly points: number;
}

const none: readonly Taken[] = [];
const nothingUsed: UsedAmounts = { tokens: 0, points: 0 };
const nothingExpected: ExpectedUsage = { tokens: 0, points: () => 0 };

/**
 * Usage of one request in all limits that apply to it. It is counted in all of them or in none, and corrected when
 * the request ends.
 */
export class RequestLimitUsage implements RequestLimits {
  readonly #counting: LimitCounting;
  readonly #places: RequestLimitSet;
  /** Usage in the limits of the previously tried model. */
  readonly #earlier: RequestLimitUsage | undefined;
  #expected: ExpectedUsage = nothingExpected;
  #taken: readonly Taken[] = none;
  /** Amounts counted for previously tried models, which used nothing. */
  #unused: readonly Taken[] = none;
  #onChannels: Map<number, readonly Taken[]> | undefined;
  /** Amounts counted for the channel that responded. */
  #responded: readonly Taken[] = none;
  #used: UsedAmounts = nothingUsed;

  constructor(counting: LimitCounting, places: RequestLimitSet, earlier?: RequestLimitUsage) {
    this.#counting = counting;
    this.#places = places;
    this.#earlier = earlier;
  }

  get counted(): readonly number[] {
    const { ofCaller, costs } = this.#places;
    return [...new Set([...ofCaller.map(({ rule }) => rule.id), ...costs.map(({ id }) => id)])];
  }

  get maxPoints(): number | undefined {
    const { costs } = this.#places;
    return costs.length === 0 ? undefined : Math.min(...costs.map(({ amount }) => amount));
  }

  admit(expected: ExpectedUsage): void | Promise<void> {
    const { costs, ofCaller } = this.#places;
    this.#expected = expected;
    for (const rule of costs) {
      const points = expected.points();
      if (points > rule.amount) throw requestTooLarge(rule, points);
    }
    const places = this.#earlier ? this.#notIn(this.#earlier) : ofCaller;
    const rejected = this.#shortageIn(places);
    if (rejected) throw rejected;
    const taking = this.#take(places);
    if (taking instanceof Promise) return taking.then((taken) => this.#begin(taken));
    this.#begin(taking);
  }

  withdraw(): void {
    for (const { place, amount, at } of this.#taken) this.#counting.correct(place, -amount, at);
    this.#taken = none;
  }

  /** Limits in which the request is not counted yet. */
  #notIn(earlier: RequestLimitUsage): readonly CountedLimit[] {
    const counted = earlier.#all.map(({ place }) => place.key);
    return this.#places.ofCaller.filter(({ key }) => !counted.includes(key));
  }

  #begin(taken: readonly Taken[] | CountedLimit): void {
    if ('rule' in taken)
      throw limitReached({ rule: taken.rule, waitMs: this.#waitFor(taken) || shortDelayMs, standing: this.remaining });
    this.#taken = taken;
    if (this.#earlier) this.#takeOver(this.#earlier);
  }

  /** All limits in which the request is counted, except channel limits. */
  get #all(): readonly Taken[] {
    return this.#unused.length === 0 ? this.#taken : [...this.#taken, ...this.#unused];
  }

  /**
   * Takes over the counts of limits shared with the earlier model, and later settles those that only the earlier model
   * has.
   */
  #takeOver(earlier: RequestLimitUsage): void {
    const keys = this.#places.ofCaller.map(({ key }) => key);
    const isOwn = ({ place }: Taken) => keys.includes(place.key);
    this.#taken = [...this.#taken, ...earlier.#all.filter(isOwn)];
    this.#unused = earlier.#all.filter((taken) => !isOwn(taken));
    earlier.#taken = [];
    earlier.#unused = [];
  }

  get remaining(): RemainingLimits | undefined {
    const requests = this.#strictest('requests');
    const tokens = this.#strictest('tokens');
    return requests || tokens ? { requests, tokens } : undefined;
  }

  get hasChannelLimits(): boolean {
    return this.#places.ofChannels.length + this.#places.costsOfChannels.length > 0;
  }

  hasRoom(channel: number): boolean {
    return this.#tooDear(channel) === undefined && this.#placesOn(channel).every((place) => this.#fits(place));
  }

  /** A cost limit of the channel, or of all channels, that the request exceeds. */
  #tooDear(channel?: number): LimitRule | undefined {
    const { costsOfChannels } = this.#places;
    if (costsOfChannels.length === 0) return undefined;
    return costsOfChannels.find(
      ({ channel_id, amount }) => (channel === undefined || channel === channel_id) && this.#expected.points() > amount,
    );
  }

  enter(channel: number): boolean | Promise<boolean> {
    if (!this.hasRoom(channel)) return false;
    const places = this.#placesOn(channel);
    if (places.length === 0) return true;
    const taking = this.#take(places);
    const entered = (taken: readonly Taken[] | CountedLimit): boolean => {
      if ('rule' in taken) return false;
      this.#onChannels ??= new Map();
      this.#onChannels.set(channel, taken);
      return true;
    };
    return taking instanceof Promise ? taking.then(entered) : entered(taking);
  }

  leave(channel: number, hasResponded: boolean): void {
    const taken = this.#onChannels?.get(channel);
    if (!taken) return;
    this.#onChannels?.delete(channel);
    if (hasResponded) this.#responded = taken;
    // A failed channel was tried but used no tokens.
    else this.#settle(taken, nothingUsed);
  }

  noRoom(): RelayError | undefined {
    const { model, ofChannels } = this.#places;
    const tooDear = this.#tooDear();
    if (ofChannels.length === 0) return tooDear && requestTooLarge(tooDear, this.#expected.points());
    const full = ofChannels.filter((place) => !this.#fits(place));
    const waits = full.map((place) => this.#waitFor(place)).filter((wait) => wait !== undefined);
    const soonest = waits.length > 0 ? Math.min(...waits) : undefined;
    return allChannelsLimited(model, full.length === 0 ? shortDelayMs : soonest);
  }

  reportUsage(tokens: number, points: number): void {
    this.#used = { tokens, points };
  }

  end(): void {
    this.#settle(this.#taken, this.#used);
    this.#settle(this.#responded, this.#used);
    this.#settle(this.#unused, nothingUsed);
    this.#taken = none;
    this.#unused = none;
    this.#responded = none;
  }

  #placesOn(channel: number): readonly CountedLimit[] {
    const { ofChannels } = this.#places;
    return ofChannels.length === 0 ? ofChannels : ofChannels.filter(({ rule }) => rule.channel_id === channel);
  }

  #amountFor({ measure }: Pick<CountedLimit, 'measure'>): number {
    const { counts } = limitMeasures[measure];
    if (counts === 'points') return this.#expected.points();
    return counts === 'tokens' ? this.#expected.tokens : 1;
  }

  #fits(place: CountedLimit): boolean {
    return place.counter.total(this.#counting.now()) + this.#amountFor(place) <= place.rule.amount;
  }

  #waitFor(place: CountedLimit): number | undefined {
    return place.counter.msUntil(place.rule.amount - this.#amountFor(place), this.#counting.now());
  }

  /** Error of the limit with the longest wait, because a retry before that would fail. */
  #shortageIn(places: readonly CountedLimit[]): RelayError | undefined {
    let longest: { readonly rule: LimitRule; readonly waitMs: number | undefined } | undefined;
    for (const place of places) {
      const { rule } = place;
      if (this.#amountFor(place) > rule.amount) return requestTooLarge(rule, this.#amountFor(place), this.remaining);
      if (this.#fits(place)) continue;
      const waitMs = this.#waitFor(place);
      if (!longest || (waitMs ?? 0) > (longest.waitMs ?? 0)) longest = { rule, waitMs };
    }
    return longest && limitReached({ ...longest, standing: this.remaining });
  }

  /** Counts the amount in all limits; or counts nothing and returns the first limit that is reached. */
  #take(places: readonly CountedLimit[]): readonly Taken[] | CountedLimit | Promise<readonly Taken[] | CountedLimit> {
    const at = this.#counting.now();
    const taking = places.map((place) => {
      const amount = this.#amountFor(place);
      return { place, amount, at, isIn: this.#counting.take(place, amount) };
    });
    if (taking.every(({ isIn }) => isIn === true)) return taking;
    return Promise.all(taking.map(({ isIn }) => isIn)).then((responses) => {
      const rejected = responses.indexOf(false);
      if (rejected < 0) return taking;
      for (const [index, { place, amount }] of taking.entries())
        if (responses[index]) this.#counting.correct(place, -amount, at);
      return (taking[rejected] as Taken).place;
    });
  }

  /**
   * Replaces the reserved amount with the actual usage. A started request still counts as a request, but no longer as
   * in flight.
   */
  #settle(taken: readonly Taken[], used: UsedAmounts): void {
    for (const { place, amount, at } of taken) {
      const { counts } = limitMeasures[place.measure];
      if (place.measure === 'requests_under_way') this.#counting.correct(place, -amount, at);
      else if (counts !== 'requests' && used[counts] !== amount)
        this.#counting.correct(place, used[counts] - amount, at);
    }
  }

  /** The request or token limit per window with the least remaining. */
  #strictest(kind: 'requests' | 'tokens'): RemainingLimit | undefined {
    const now = this.#counting.now();
    let strictest: RemainingLimit | undefined;
    for (const { rule, measure, counter } of this.#places.ofCaller) {
      const row = limitMeasures[measure];
      if (row.counts !== kind || !('windowSeconds' in row)) continue;
      const remaining = Math.max(0, rule.amount - counter.total(now));
      if (strictest && strictest.remaining <= remaining) continue;
      strictest = { limit: rule.amount, remaining, resetMs: counter.msUntil(0, now) ?? 0 };
    }
    return strictest;
  }
}

/** Retry delay if a concurrent request was admitted first and no better delay is known. */
const shortDelayMs = 1000;
