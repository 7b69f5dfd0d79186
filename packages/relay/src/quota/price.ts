import { cacheRatiosByRule, writesOnlyWhenAsked } from './cache-ratios.ts';
import { completionRatioByRule } from './completion-ratios.ts';
import { type LongPromptRates, longPromptRates } from './long-prompts.ts';
import { completionRatios, modelRatios } from './ratios.ts';

type Table = Readonly<Record<string, number>>;

/** Multipliers an admin may save; what is not in them comes from the built-in tables. */
export interface SavedRatios {
  readonly ModelRatio: Table;
  readonly CompletionRatio: Table;
  readonly GroupRatio: Table;
  /** Of the price of a prompt token: one that was read from a cache, written into it, or written for an hour. */
  readonly CacheReadRatio: Table;
  readonly CacheWriteRatio: Table;
  readonly CacheLongWriteRatio: Table;
  /** Of the price of a completion token: a thought. */
  readonly ReasoningRatio: Table;
}

/** Ratios of parts are absent where such a part costs what the others cost. */
export interface Price {
  readonly model_ratio: number;
  readonly completion_ratio: number;
  readonly group_ratio: number;
  /** The one whose ratio it is. */
  readonly group: string;
  readonly cache_read_ratio?: number;
  readonly cache_write_ratio?: number;
  readonly cache_long_write_ratio?: number;
  readonly reasoning_ratio?: number;
  /** Where long prompts have other prices. One of a given length has none: see `priceAt`. */
  readonly tiers?: PriceTiers;
  /** Where a request says whether its prompt is written into a cache: the price for each of these. */
  readonly byCaching?: Readonly<Record<Caching, Price>>;
}

/** Whether a request may have its prompt written into a cache: not at all, for minutes, for an hour. */
export type Caching = 'none' | 'short' | 'long';

interface PriceTiers {
  /** Tokens of the prompt. */
  readonly above: number;
  readonly below: Price;
  readonly beyond: Price;
}

/** The ratio of a model that nobody priced: dear enough to be noticed. */
const unknownModelRatio = 30;

/** Prices that were looked up before, for as long as the tables stay the same object. */
const known = new WeakMap<SavedRatios, Map<string, Price>>();
const mostKnown = 10_000;

/** What of a channel decides about prices. */
interface PricedChannel {
  readonly type: number;
  /** What its upstream calls models; absent: what users call them. */
  readonly modelMapping?: ReadonlyMap<string, string>;
}

/** The price of what the user asked for, on the channel that serves it. */
export function priceOf(model: string, channel: PricedChannel, group: string, saved: SavedRatios): Price {
  const prices = known.get(saved) ?? new Map<string, Price>();
  known.set(saved, prices);
  const sentAs = channel.modelMapping?.get(model) || model;
  const name = `${channel.type}\0${group}\0${model}\0${sentAs}`;
  const found = prices.get(name);
  if (found) return found;
  const price = withCaching(lookUpPrice(model, channel.type, group, saved), model, sentAs);
  if (prices.size < mostKnown) prices.set(name, price);
  return price;
}

function lookUpPrice(model: string, channelType: number, group: string, saved: SavedRatios): Price {
  const find = (own: Table, builtIn: Table = noTable) => lookUp(model, channelType, own, builtIn);
  const caches = cacheRatiosByRule(model);
  const read = find(saved.CacheReadRatio) ?? caches.read;
  const write = find(saved.CacheWriteRatio) ?? caches.write ?? 1;
  const longWrite = find(saved.CacheLongWriteRatio) ?? caches.longWrite ?? write;
  const reasoning = find(saved.ReasoningRatio) ?? 1;
  return {
    model_ratio: find(saved.ModelRatio, modelRatios) ?? unknownModelRatio,
    completion_ratio: find(saved.CompletionRatio, completionRatios) ?? completionRatioByRule(model),
    group_ratio: ownNumber(saved.GroupRatio, group) ?? 1,
    group,
    ...(read !== 1 && { cache_read_ratio: read }),
    ...(write !== 1 && { cache_write_ratio: write }),
    ...(longWrite !== write && { cache_long_write_ratio: longWrite }),
    ...(reasoning !== 1 && { reasoning_ratio: reasoning }),
  };
}

/** What was written though nobody asked for it costs what a prompt costs, and so is what is held. */
function withCaching(price: Price, model: string, sentAs: string): Price {
  // Under another name it is still the provider's model, and the length of a prompt the provider's reason.
  const rates = longPromptRates(sentAs) ?? longPromptRates(model);
  const { cache_write_ratio, cache_long_write_ratio, ...none } = price;
  const long = withTiers(price, rates);
  const isEven = cache_write_ratio === undefined && cache_long_write_ratio === undefined;
  if (isEven || !writesOnlyWhenAsked(model)) return long;
  const short = { ...none, ...(cache_write_ratio !== undefined && { cache_write_ratio }) };
  return { ...long, byCaching: { none: withTiers(none, rates), short: withTiers(short, rates), long } };
}

/** In proportion to the usual prices, whoever set those. */
function withTiers(below: Price, rates: LongPromptRates | undefined): Price {
  if (!rates) return below;
  const { above, prompt, completion } = rates;
  const model_ratio = below.model_ratio * prompt;
  const completion_ratio = (below.completion_ratio * completion) / prompt;
  return { ...below, tiers: { above, below, beyond: { ...below, model_ratio, completion_ratio } } };
}

/** The price of a request with a prompt of this length. */
export const priceAt = (price: Price, prompt: number): Price => {
  if (!price.tiers) return price;
  return prompt > price.tiers.above ? price.tiers.beyond : price.tiers.below;
};

/** What tokens cost that have no price of their own. */
export const plainPrice = ({ model_ratio, completion_ratio, group_ratio, group }: Price): Price => ({
  model_ratio,
  completion_ratio,
  group_ratio,
  group,
});

const texts = new WeakMap<Price, string>();

/** The same as JSON, written once for each price: few of them serve many requests. */
export function priceText(price: Price): string {
  const known = texts.get(price);
  if (known !== undefined) return known;
  const text = JSON.stringify(plainPrice(price));
  texts.set(price, text);
  return text;
}

const noTable: Table = {};

function lookUp(model: string, channelType: number, saved: Table, builtIn: Table): number | undefined {
  const name = model.replace(/^((?:qwen|command)-.*)-internet$/, '$1');
  const onType = `${name}(${channelType})`;
  return ownNumber(saved, onType) ?? ownNumber(saved, name) ?? ownNumber(builtIn, onType) ?? ownNumber(builtIn, name);
}

const ownNumber = (table: Table, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
