import { builtInRatios } from './built-in-ratios.ts';
import { writesOnlyWhenAsked } from './cache-ratios.ts';
import { KnownPrices } from './known-prices.ts';
import { type LongPromptRates, longPromptRates } from './long-prompts.ts';
import { type MediaRatios, mediaRatios } from './media-ratios.ts';
import { lookUp, ownNumber, type Table } from './ratio-table.ts';

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
  /** Points. */
  readonly QuotaPerUnit: number;
}

/** Ratios of parts are absent where such a part costs what the others cost. */
export interface Price extends MediaRatios {
  readonly model_ratio: number;
  readonly completion_ratio: number;
  readonly group_ratio: number;
  /** The one whose ratio it is. */
  readonly group: string;
  readonly cache_read_ratio?: number;
  readonly cache_write_ratio?: number;
  readonly cache_long_write_ratio?: number;
  readonly reasoning_ratio?: number;
  /** Nobody has given the model a price. */
  readonly unpriced?: true;
  /** Where long prompts have other prices. One of a given length has none: see `priceAt`. */
  readonly tiers?: PriceTiers;
  /** Where a request says whether its prompt is written into a cache: the price for each of these. */
  readonly byCaching?: Readonly<Record<Caching, Price>>;
}

/** Whether a request may have its prompt written into a cache: not at all, for minutes, for an hour. */
export type Caching = 'none' | 'short' | 'long';

/** The first is the price of short prompts. */
type PriceTiers = readonly [PriceTier, ...PriceTier[]];

interface PriceTier {
  /** Tokens of the prompt. */
  readonly above: number;
  readonly price: Price;
}

/** The ratio of a model that nobody priced: dear enough to be noticed. */
const unknownModelRatio = 30;

/** Prices that were looked up before, for as long as the tables stay the same object. */
const known = new WeakMap<SavedRatios, KnownPrices<Price>>();

/** What of a channel decides about prices. */
interface PricedChannel {
  readonly type: number;
  /** What its upstream calls models; absent: what users call them. */
  readonly modelMapping?: ReadonlyMap<string, string>;
}

/** The price of what the user asked for, on the channel that serves it. */
export function priceOf(model: string, channel: PricedChannel, group: string, saved: SavedRatios): Price {
  let prices = known.get(saved);
  if (!prices) {
    prices = new KnownPrices();
    known.set(saved, prices);
  }
  const sentAs = channel.modelMapping?.get(model) || model;
  const key = { channelType: channel.type, group, model, sentAs };
  const found = prices.get(key);
  if (found) return found;
  const price = withCaching(lookUpPrice(key, group, saved), model, sentAs);
  prices.add(key, price);
  return price;
}

interface Asked {
  readonly model: string;
  /** What the upstream calls it. */
  readonly sentAs: string;
  readonly channelType: number;
}

function lookUpPrice(asked: Asked, group: string, saved: SavedRatios): Price {
  const { model, channelType } = asked;
  const builtIn = builtInRatios(model, channelType);
  const model_ratio = lookUp(model, channelType, saved.ModelRatio) ?? builtIn.model;
  return {
    model_ratio: model_ratio ?? unknownModelRatio,
    completion_ratio: lookUp(model, channelType, saved.CompletionRatio) ?? builtIn.completion,
    group_ratio: ownNumber(saved.GroupRatio, group) ?? 1,
    group,
    ...partRatios(asked, saved),
    ...(model_ratio === undefined && { unpriced: true }),
  };
}

type PartRatios = MediaRatios &
  Pick<Price, 'cache_read_ratio' | 'cache_write_ratio' | 'cache_long_write_ratio' | 'reasoning_ratio'>;

/** A name of the admin's own has the parts of the model it stands for: the provider charges for those. */
function partRatios({ model, sentAs, channelType }: Asked, saved: SavedRatios): PartRatios {
  const known = builtInRatios(model, channelType);
  const isKnown = sentAs === model || known.model !== undefined;
  const builtIn = isKnown ? known : builtInRatios(sentAs, channelType);
  const own = (table: Table) =>
    lookUp(model, channelType, table) ?? (isKnown ? undefined : lookUp(sentAs, channelType, table));
  const read = own(saved.CacheReadRatio) ?? builtIn.read;
  const write = own(saved.CacheWriteRatio) ?? builtIn.write;
  const longWrite = own(saved.CacheLongWriteRatio) ?? Math.max(builtIn.longWrite, write);
  const reasoning = own(saved.ReasoningRatio) ?? 1;
  return {
    ...(read !== 1 && { cache_read_ratio: read }),
    ...(write !== 1 && { cache_write_ratio: write }),
    ...(longWrite !== write && { cache_long_write_ratio: longWrite }),
    ...(reasoning !== 1 && { reasoning_ratio: reasoning }),
    ...mediaRatios(isKnown ? model : sentAs),
  };
}

/** Whether a model has a price on every type of channel. */
export const isPriced = (model: string, saved: SavedRatios, channelType = 0): boolean =>
  priceOf(model, { type: channelType }, '', saved).unpriced !== true;

/** What was written though nobody asked for it costs what a prompt costs, and so is what is held. */
function withCaching(price: Price, model: string, sentAs: string): Price {
  // Under another name it is still the provider's model, and the length of a prompt the provider's reason.
  const rates = longPromptRates(sentAs) ?? longPromptRates(model);
  const { cache_write_ratio, cache_long_write_ratio, ...none } = price;
  const long = withTiers(price, rates);
  const isEven = cache_write_ratio === undefined && cache_long_write_ratio === undefined;
  if (isEven || !(writesOnlyWhenAsked(model) || writesOnlyWhenAsked(sentAs))) return long;
  const short = { ...none, ...(cache_write_ratio !== undefined && { cache_write_ratio }) };
  return { ...long, byCaching: { none: withTiers(none, rates), short: withTiers(short, rates), long } };
}

/** In proportion to the usual prices, whoever set those. */
export function withTiers(below: Price, rates: readonly LongPromptRates[] | undefined): Price {
  if (!rates) return below;
  const longer = rates.map(({ above, prompt, completion }) => {
    const model_ratio = below.model_ratio * prompt;
    const completion_ratio = (below.completion_ratio * completion) / prompt;
    return { above, price: { ...below, model_ratio, completion_ratio } };
  });
  return { ...below, tiers: [{ above: 0, price: below }, ...longer] };
}

/** The price of a request with a prompt of this length. */
export const priceAt = (price: Price, prompt: number): Price => {
  if (!price.tiers) return price;
  return (price.tiers.findLast(({ above }) => prompt > above) ?? price.tiers[0]).price;
};

/** What tokens cost that have no price of their own. */
export const plainPrice = ({ model_ratio, completion_ratio, group_ratio, group, unpriced }: Price): Price => ({
  model_ratio,
  completion_ratio,
  group_ratio,
  group,
  ...(unpriced && { unpriced }),
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
