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
  take(limit: CountedLimit, amount: number): boolean | Promise<boolean>;
  /** Corrects an amount that was counted earlier. */
  correct(limit: CountedLimit, difference: number, at: number): void;
}

interface Taken {
  readonly limit: CountedLimit;
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
  readonly #limits: RequestLimitSet;
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

  constructor(counting: LimitCounting, limits: RequestLimitSet, earlier?: RequestLimitUsage) {
    this.#counting = counting;
    this.#limits = limits;
    this.#earlier = earlier;
  }

  get counted(): readonly number[] {
    const { ofCaller, costs } = this.#limits;
    return [...new Set([...ofCaller.map(({ rule }) => rule.id), ...costs.map(({ id }) => id)])];
  }

  get maxPoints(): number | undefined {
    const { costs } = this.#limits;
    return costs.length === 0 ? undefined : Math.min(...costs.map(({ amount }) => amount));
  }

  admit(expected: ExpectedUsage): void | Promise<void> {
    const { costs, ofCaller } = this.#limits;
    this.#expected = expected;
    for (const rule of costs) {
      const points = expected.points();
      if (points > rule.amount) throw requestTooLarge(rule, points);
    }
    const limits = this.#earlier ? this.#notIn(this.#earlier) : ofCaller;
    const rejected = this.#shortageIn(limits);
    if (rejected) throw rejected;
    const taking = this.#take(limits);
    if (taking instanceof Promise) return taking.then((taken) => this.#begin(taken));
    this.#begin(taking);
  }

  withdraw(): void {
    for (const { limit, amount, at } of this.#taken) this.#counting.correct(limit, -amount, at);
    this.#taken = none;
  }

  /** Limits in which the request is not counted yet. */
  #notIn(earlier: RequestLimitUsage): readonly CountedLimit[] {
    const counted = earlier.#all.map(({ limit }) => limit.key);
    return this.#limits.ofCaller.filter(({ key }) => !counted.includes(key));
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
    const keys = this.#limits.ofCaller.map(({ key }) => key);
    const isOwn = ({ limit }: Taken) => keys.includes(limit.key);
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
    return this.#limits.ofChannels.length + this.#limits.costsOfChannels.length > 0;
  }

  hasRoom(channel: number): boolean {
    return this.#tooDear(channel) === undefined && this.#limitsOn(channel).every((limit) => this.#fits(limit));
  }

  /** A cost limit of the channel, or of all channels, that the request exceeds. */
  #tooDear(channel?: number): LimitRule | undefined {
    const { costsOfChannels } = this.#limits;
    if (costsOfChannels.length === 0) return undefined;
    return costsOfChannels.find(
      ({ channel_id, amount }) => (channel === undefined || channel === channel_id) && this.#expected.points() > amount,
    );
  }

  enter(channel: number): boolean | Promise<boolean> {
    if (!this.hasRoom(channel)) return false;
    const limits = this.#limitsOn(channel);
    if (limits.length === 0) return true;
    const taking = this.#take(limits);
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
    const { model, ofChannels } = this.#limits;
    const tooDear = this.#tooDear();
    if (ofChannels.length === 0) return tooDear && requestTooLarge(tooDear, this.#expected.points());
    const full = ofChannels.filter((limit) => !this.#fits(limit));
    const waits = full.map((limit) => this.#waitFor(limit)).filter((wait) => wait !== undefined);
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

  #limitsOn(channel: number): readonly CountedLimit[] {
    const { ofChannels } = this.#limits;
    return ofChannels.length === 0 ? ofChannels : ofChannels.filter(({ rule }) => rule.channel_id === channel);
  }

  #amountFor({ measure }: Pick<CountedLimit, 'measure'>): number {
    const { counts } = limitMeasures[measure];
    if (counts === 'points') return this.#expected.points();
    return counts === 'tokens' ? this.#expected.tokens : 1;
  }

  #fits(limit: CountedLimit): boolean {
    return limit.counter.total(this.#counting.now()) + this.#amountFor(limit) <= limit.rule.amount;
  }

  #waitFor(limit: CountedLimit): number | undefined {
    return limit.counter.msUntil(limit.rule.amount - this.#amountFor(limit), this.#counting.now());
  }

  /** Error of the limit with the longest wait, because a retry before that would fail. */
  #shortageIn(limits: readonly CountedLimit[]): RelayError | undefined {
    let longest: { readonly rule: LimitRule; readonly waitMs: number | undefined } | undefined;
    for (const limit of limits) {
      const { rule } = limit;
      if (this.#amountFor(limit) > rule.amount) return requestTooLarge(rule, this.#amountFor(limit), this.remaining);
      if (this.#fits(limit)) continue;
      const waitMs = this.#waitFor(limit);
      if (!longest || (waitMs ?? 0) > (longest.waitMs ?? 0)) longest = { rule, waitMs };
    }
    return longest && limitReached({ ...longest, standing: this.remaining });
  }

  /** Counts the amount in all limits; or counts nothing and returns the first limit that is reached. */
  #take(limits: readonly CountedLimit[]): readonly Taken[] | CountedLimit | Promise<readonly Taken[] | CountedLimit> {
    const at = this.#counting.now();
    const taking = limits.map((limit) => {
      const amount = this.#amountFor(limit);
      return { limit, amount, at, isIn: this.#counting.take(limit, amount) };
    });
    if (taking.every(({ isIn }) => isIn === true)) return taking;
    return Promise.all(taking.map(({ isIn }) => isIn)).then((responses) => {
      const rejected = responses.indexOf(false);
      if (rejected < 0) return taking;
      for (const [index, { limit, amount }] of taking.entries())
        if (responses[index]) this.#counting.correct(limit, -amount, at);
      return (taking[rejected] as Taken).limit;
    });
  }

  /**
   * Replaces the reserved amount with the actual usage. A started request still counts as a request, but no longer as
   * in flight.
   */
  #settle(taken: readonly Taken[], used: UsedAmounts): void {
    for (const { limit, amount, at } of taken) {
      const { counts } = limitMeasures[limit.measure];
      if (limit.measure === 'requests_under_way') this.#counting.correct(limit, -amount, at);
      else if (counts !== 'requests' && used[counts] !== amount)
        this.#counting.correct(limit, used[counts] - amount, at);
    }
  }

  /** The request or token limit per window with the least remaining. */
  #strictest(kind: 'requests' | 'tokens'): RemainingLimit | undefined {
    const now = this.#counting.now();
    let strictest: RemainingLimit | undefined;
    for (const { rule, measure, counter } of this.#limits.ofCaller) {
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
