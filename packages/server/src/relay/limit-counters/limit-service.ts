import { createHash } from 'node:crypto';
import { endUserTag, type LimitCountScope, otherTagValue } from '@headgate/contract';
import type { Caller, LimitedModel, RequestLimits } from '@headgate/relay';
import type { CountedMeasure } from './limit-counter.ts';
import { counterKey, LimitCounters } from './limit-counters.ts';
import { LimitExchange } from './limit-exchange.ts';
import type { LimitBus } from './limit-messages.ts';
import { type LimitRule, LimitTable, type StoredLimitRule } from './limit-table.ts';
import { type CountedLimit, type LimitCounting, RequestLimitUsage } from './request-limit-usage.ts';

const now = () => performance.now();
const later = (ms: number, work: () => void) => void setTimeout(work, ms).unref();

const nothing = [[], []] as const;

/** Owner whose requests a rule counts together; 0 if it counts all requests together. */
const ownerOf: Readonly<Record<LimitCountScope, (caller: Caller, rule: LimitRule) => number>> = {
  all: () => 0,
  user: ({ userId }) => userId,
  token: ({ tokenId }) => tokenId,
  tag: tagOwner,
};

/** End-user values are scoped to the gateway user, so one user's clients cannot exhaust another user's limits. */
function tagOwner({ requestTags, userId }: Caller, { tag }: LimitRule): number {
  const key = tag.slice(0, tag.indexOf('='));
  const value = requestTags?.get(key) ?? '';
  return valueId(key === endUserTag ? `${userId} ${value}` : value);
}

/** Number for the value of a tag, identical on every node. */
const valueId = (value: string): number => createHash('sha256').update(value).digest().readUIntBE(0, 6);

/** Request limits, all in memory. A request without limits takes one lookup. */
export class LimitService {
  readonly #table: LimitTable;
  readonly counters = new LimitCounters();
  readonly #counting: LimitCounting;
  /** Exchange with other nodes, if there are any. */
  readonly exchange: LimitExchange;

  constructor(read: () => Promise<readonly StoredLimitRule[]>, bus: LimitBus) {
    this.#table = new LimitTable(read);
    this.exchange = new LimitExchange({ counters: this.counters, bus, now, later });
    this.#counting = {
      now,
      take: ({ key, counter, rule }, amount) => this.exchange.take(key, counter, amount, rule.amount),
      correct: ({ key, counter }, difference, at) => this.exchange.correct(key, counter, difference, at),
    };
  }

  load(): Promise<void> {
    return this.#table.load();
  }

  /** Limits that apply to a request; undefined if there are none. Usage counted in `earlier` is not counted again. */
  for(caller: Caller, request: LimitedModel, earlier?: RequestLimits): RequestLimits | undefined {
    if (this.#table.isEmpty) return undefined;
    const { tokenId, userId, requestTags: tags } = caller;
    const { model, group, channels } = request;
    const rules = this.#table.rulesFor({ model, group, channels, tokenId, userId, tags });
    if (!rules) return undefined;
    const [ofCaller, costs] = this.#divided(rules.ofCaller, caller);
    const [ofChannels, costsOfChannels] = this.#divided(rules.ofChannels, caller);
    const limits = { model, ofCaller, costs, ofChannels, costsOfChannels };
    return new RequestLimitUsage(this.#counting, limits, earlier instanceof RequestLimitUsage ? earlier : undefined);
  }

  /** Current usage per rule, from the counter with the highest usage. */
  usedOf(rules: readonly number[]): ReadonlyMap<number, number> {
    return this.counters.maxOf(rules, now());
  }

  /** Counters and cost limits that apply to a request. */
  #divided(rules: readonly LimitRule[], caller: Caller): readonly [readonly CountedLimit[], readonly LimitRule[]] {
    if (rules.length === 0) return nothing;
    const limits: CountedLimit[] = [];
    const costs: LimitRule[] = [];
    for (const rule of rules) {
      if (rule.measure === 'cost_per_request') costs.push(rule);
      else limits.push(this.#counted(rule, rule.measure, caller));
    }
    return [limits, costs];
  }

  #counted(rule: LimitRule, measure: CountedMeasure, caller: Caller): CountedLimit {
    const own = counterKey(rule.id, measure, ownerOf[rule.counts_per](caller, rule));
    // Tags are chosen by clients, so their counters must not crowd out other limits.
    const isShared = rule.counts_per === 'tag' && this.counters.isCrowded(own);
    const key = isShared ? counterKey(rule.id, measure, valueId(otherTagValue)) : own;
    return { rule, key, measure, counter: this.counters.get(key, measure, now()) };
  }
}
