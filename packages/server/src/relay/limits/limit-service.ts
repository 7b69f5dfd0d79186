import type { Caller, LimitedModel, RequestLimits } from '@headgate/relay';
import type { CountedMeasure } from './limit-counter.ts';
import { counterKey, LimitCounters } from './limit-counters.ts';
import { LimitExchange } from './limit-exchange.ts';
import type { LimitBus } from './limit-news.ts';
import { LimitTable, type Rule, type StoredRule } from './limit-table.ts';
import { type Counting, type Place, RequestPart } from './request-part.ts';

const now = () => performance.now();
const later = (ms: number, work: () => void) => void setTimeout(work, ms).unref();

/** The limits of requests, all in memory: a request without any pays for one look. */
export class LimitService {
  readonly #table: LimitTable;
  readonly counters = new LimitCounters();
  readonly #counting: Counting;
  /** With the other nodes, where there are some. */
  readonly exchange: LimitExchange;

  constructor(read: () => Promise<readonly StoredRule[]>, bus: LimitBus) {
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

  /** Those that apply to a request; undefined where none does. What is counted in `earlier` is not counted again. */
  for(caller: Caller, request: LimitedModel, earlier?: RequestLimits): RequestLimits | undefined {
    if (this.#table.isEmpty) return undefined;
    const { tokenId, userId } = caller;
    const { model, group, channels } = request;
    const rules = this.#table.rulesFor({ model, group, channels, tokenId, userId });
    if (!rules) return undefined;
    const placesOf = (some: readonly Rule[]): Place[] =>
      some.flatMap((rule) => (rule.measure === 'cost_per_request' ? [] : [this.#place(rule, rule.measure, caller)]));
    const isCost = ({ measure }: Rule) => measure === 'cost_per_request';
    const places = {
      model,
      ofCaller: placesOf(rules.ofCaller),
      costs: rules.ofCaller.filter(isCost),
      ofChannels: placesOf(rules.ofChannels),
      costsOfChannels: rules.ofChannels.filter(isCost),
    };
    return new RequestPart(this.#counting, places, earlier instanceof RequestPart ? earlier : undefined);
  }

  /** What counts now, of a rule's counters where most does. */
  usedOf(rule: number): number {
    return this.counters.mostOf(rule, now());
  }

  #place(rule: Rule, measure: CountedMeasure, { userId, tokenId }: Caller): Place {
    const owner = { all: 0, user: userId, token: tokenId }[rule.counts_per];
    const key = counterKey(rule.id, measure, owner);
    return { rule, key, measure, counter: this.counters.get(key, measure, now()) };
  }
}
