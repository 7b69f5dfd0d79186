import { hoursOfModel, type PriceHours, type PriceWindow, pointsPerCall, type ServiceTier } from '@headgate/contract';
import {
  exactRatio,
  lookUpRatio,
  type MediaRatios,
  mediaRatios,
  type RatioTable,
  requiresExplicitCaching,
} from './built-in-ratio-tables.ts';
import { builtInRatios } from './built-in-ratios.ts';
import { type LongPromptRates, longPromptRates } from './long-prompts.ts';

/** Ratios saved by an admin; all others are built in. */
export interface SavedRatios {
  readonly ModelRatio: RatioTable;
  readonly CompletionRatio: RatioTable;
  readonly GroupRatio: RatioTable;
  /** Multiples of the prompt token price: cache read, cache write, one-hour cache write. */
  readonly CacheReadRatio: RatioTable;
  readonly CacheWriteRatio: RatioTable;
  readonly CacheLongWriteRatio: RatioTable;
  /** Multiple of the completion token price: reasoning tokens. */
  readonly ReasoningRatio: RatioTable;
  /** Multiples of the prompt token price, of the cache read price and of the completion token price. */
  readonly AudioRatio: RatioTable;
  readonly CachedAudioRatio: RatioTable;
  readonly AudioOutputRatio: RatioTable;
  readonly ImageRatio: RatioTable;
  readonly CachedImageRatio: RatioTable;
  readonly ImageOutputRatio: RatioTable;
  /** Multiples of all prices: service tiers. */
  readonly FlexRatio: RatioTable;
  readonly PriorityRatio: RatioTable;
  /** Hours in which models cost a multiple of their price. */
  readonly hours?: PriceHours;
  /** Thousands of points per request. */
  readonly CallRatio: RatioTable;
  /** Points. */
  readonly QuotaPerUnit: number;
}

/** A part's ratio is absent if the part costs as much as the rest. */
export interface Price extends MediaRatios {
  readonly model_ratio: number;
  readonly completion_ratio: number;
  readonly group_ratio: number;
  /** Group of `group_ratio`. */
  readonly group: string;
  readonly cache_read_ratio?: number;
  readonly cache_write_ratio?: number;
  readonly cache_long_write_ratio?: number;
  readonly reasoning_ratio?: number;
  /** Points per request, before the group ratio. */
  readonly call_points?: number;
  /** Multiples of all prices: service tiers. Absent: the tier has no price. */
  readonly flex_ratio?: number;
  readonly priority_ratio?: number;
  /** Hours in which the model costs a multiple. */
  readonly hours?: readonly PriceWindow[];
  /** Service tier and time-of-day multiplier that are already included in the other members. */
  readonly served_tier?: ServiceTier | undefined;
  readonly clock_multiplier?: number;
  /** The model has no price. */
  readonly unpriced?: true;
  /** Prices of long prompts. Absent in the result of `priceAt`. */
  readonly tiers?: PriceTiers;
  /** Price per caching mode, if the request chooses the mode. */
  readonly byCaching?: Readonly<Record<Caching, Price>>;
}

/** Cache writes that a request may cause: none, for minutes, or for an hour. */
export type Caching = 'none' | 'short' | 'long';

/** The first tier is the price of short prompts. */
type PriceTiers = readonly [PriceTier, ...PriceTier[]];

interface PriceTier {
  /** Prompt tokens. */
  readonly above: number;
  readonly price: Price;
}

/** Ratio of a model without a price: high enough to be noticed. */
const unknownModelRatio = 30;

/** Cached prices, valid while the tables stay the same object. */
const known = new WeakMap<SavedRatios, PriceCache<Price>>();

/** Properties of a channel that determine prices. */
interface PricedChannel {
  readonly type: number;
  /** From requested model to upstream model; absent: no mapping. */
  readonly modelMapping?: ReadonlyMap<string, string>;
}

/** Price of the requested model on the channel that serves it. */
export function priceOf(model: string, channel: PricedChannel, group: string, saved: SavedRatios): Price {
  let prices = known.get(saved);
  if (!prices) {
    prices = new PriceCache();
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

interface PricedRequest {
  readonly model: string;
  /** The upstream model. */
  readonly sentAs: string;
  readonly channelType: number;
}

function lookUpPrice(requested: PricedRequest, group: string, saved: SavedRatios): Price {
  const { model, channelType } = requested;
  const builtIn = builtInRatios(model, channelType);
  const model_ratio = lookUpRatio(model, channelType, saved.ModelRatio) ?? builtIn.model;
  const hours = saved.hours && hoursOfModel(saved.hours, model);
  return {
    model_ratio: model_ratio ?? unknownModelRatio,
    completion_ratio: lookUpRatio(model, channelType, saved.CompletionRatio) ?? builtIn.completion,
    group_ratio: exactRatio(saved.GroupRatio, group) ?? 1,
    group,
    ...partRatios(requested, saved),
    ...(hours && { hours }),
    ...(model_ratio === undefined && { unpriced: true }),
  };
}

type PartRatios = MediaRatios &
  Pick<Price, 'cache_read_ratio' | 'cache_write_ratio' | 'cache_long_write_ratio' | 'reasoning_ratio'> &
  Pick<Price, 'flex_ratio' | 'priority_ratio' | 'call_points'>;

/** An alias uses the part ratios of its target model, because the provider charges for that model. */
function partRatios({ model, sentAs, channelType }: PricedRequest, saved: SavedRatios): PartRatios {
  const known = builtInRatios(model, channelType);
  const isKnown = sentAs === model || known.model !== undefined;
  const own = (table: RatioTable) =>
    lookUpRatio(model, channelType, table) ?? (isKnown ? undefined : lookUpRatio(sentAs, channelType, table));
  const media = mediaRatios(isKnown ? model : sentAs);
  const reasoning = own(saved.ReasoningRatio) ?? 1;
  const [flex, priority] = [own(saved.FlexRatio), own(saved.PriorityRatio)];
  const call = (own(saved.CallRatio) ?? 0) * pointsPerCall;
  return {
    ...cacheRatios(own, isKnown ? known : builtInRatios(sentAs, channelType), saved),
    ...(reasoning !== 1 && { reasoning_ratio: reasoning }),
    ...mediaPrices((option, name) => own(saved[option]) ?? media[name]),
    ...(flex !== undefined && { flex_ratio: flex }),
    ...(priority !== undefined && { priority_ratio: priority }),
    ...(call > 0 && { call_points: call }),
  };
}

function cacheRatios(
  own: (table: RatioTable) => number | undefined,
  builtIn: ReturnType<typeof builtInRatios>,
  saved: SavedRatios,
): PartRatios {
  const read = own(saved.CacheReadRatio) ?? builtIn.read;
  const write = own(saved.CacheWriteRatio) ?? builtIn.write;
  const longWrite = own(saved.CacheLongWriteRatio) ?? Math.max(builtIn.longWrite, write);
  return {
    ...(read !== 1 && { cache_read_ratio: read }),
    ...(write !== 1 && { cache_write_ratio: write }),
    ...(longWrite !== write && { cache_long_write_ratio: longWrite }),
  };
}

/** Saved ratio of each media part. */
const mediaOptions = {
  audio_ratio: 'AudioRatio',
  cached_audio_ratio: 'CachedAudioRatio',
  audio_completion_ratio: 'AudioOutputRatio',
  image_ratio: 'ImageRatio',
  cached_image_ratio: 'CachedImageRatio',
  image_completion_ratio: 'ImageOutputRatio',
} as const satisfies Readonly<Record<keyof MediaRatios, keyof SavedRatios>>;
type MediaPart = keyof typeof mediaOptions;

function mediaPrices(
  ratioOf: (option: (typeof mediaOptions)[MediaPart], name: MediaPart) => number | undefined,
): MediaRatios {
  const ratios: Partial<Record<MediaPart, number>> = {};
  for (const name of Object.keys(mediaOptions) as MediaPart[]) {
    const ratio = ratioOf(mediaOptions[name], name);
    if (ratio !== undefined && ratio !== 1) ratios[name] = ratio;
  }
  return ratios;
}

/** True if a model has a price on every channel type. */
export const isPriced = (model: string, saved: SavedRatios, channelType = 0): boolean =>
  priceOf(model, { type: channelType }, '', saved).unpriced !== true;

/**
 * Tokens that are cached although the request did not enable caching cost as much as plain prompt tokens, and are
 * reserved at that price.
 */
function withCaching(price: Price, model: string, sentAs: string): Price {
  // An alias has the long-prompt prices of its target model.
  const rates = longPromptRates(sentAs) ?? longPromptRates(model);
  const { cache_write_ratio, cache_long_write_ratio, ...none } = price;
  const long = addPriceTiers(price, rates);
  const isEven = cache_write_ratio === undefined && cache_long_write_ratio === undefined;
  if (isEven || !(requiresExplicitCaching(model) || requiresExplicitCaching(sentAs))) return long;
  const short = { ...none, ...(cache_write_ratio !== undefined && { cache_write_ratio }) };
  return { ...long, byCaching: { none: addPriceTiers(none, rates), short: addPriceTiers(short, rates), long } };
}

/** Adds long-prompt tiers in proportion to the base prices, whether saved or built-in. */
export function addPriceTiers(below: Price, rates: readonly LongPromptRates[] | undefined): Price {
  if (!rates) return below;
  const longer = rates.map(({ above, prompt, completion }) => {
    const model_ratio = below.model_ratio * prompt;
    const completion_ratio = (below.completion_ratio * completion) / prompt;
    return { above, price: { ...below, model_ratio, completion_ratio } };
  });
  return { ...below, tiers: [{ above: 0, price: below }, ...longer] };
}

/** Price of a request with a prompt of this length. */
export const priceAt = (price: Price, prompt: number): Price => {
  if (!price.tiers) return price;
  return (price.tiers.findLast(({ above }) => prompt > above) ?? price.tiers[0]).price;
};

/** Price without separate part prices. */
export const basePrice = ({
  model_ratio,
  completion_ratio,
  group_ratio,
  group,
  call_points,
  unpriced,
  served_tier,
  clock_multiplier,
}: Price): Price => ({
  model_ratio,
  completion_ratio,
  group_ratio,
  group,
  ...(call_points && { call_points }),
  ...(served_tier && { served_tier }),
  ...(clock_multiplier !== undefined && { clock_multiplier }),
  ...(unpriced && { unpriced }),
});

const texts = new WeakMap<Price, string>();

/** The price as JSON, serialized once per price: few prices serve many requests. */
export function priceJson(price: Price): string {
  const known = texts.get(price);
  if (known !== undefined) return known;
  const text = JSON.stringify(basePrice(price));
  texts.set(price, text);
  return text;
}

/** Inputs of a price other than the ratio tables. */
interface PriceKey {
  readonly channelType: number;
  readonly group: string;
  readonly model: string;
  /** The upstream model. */
  readonly sentAs: string;
}

const maxKnown = 10_000;

/** Cached prices. Nested maps, because building a combined key per request would cost more than the lookup. */
export class PriceCache<Price> {
  readonly #byType = new Map<number, Map<string, Map<string, Map<string, Price>>>>();
  #size = 0;

  get({ channelType, group, model, sentAs }: PriceKey): Price | undefined {
    return this.#byType.get(channelType)?.get(group)?.get(model)?.get(sentAs);
  }

  add({ channelType, group, model, sentAs }: PriceKey, price: Price): void {
    if (this.#size >= maxKnown) this.#forget();
    this.#size += 1;
    const byGroup = this.#byType.getOrInsertComputed(channelType, () => new Map());
    const byModel = byGroup.getOrInsertComputed(group, () => new Map());
    byModel.getOrInsertComputed(model, () => new Map()).set(sentAs, price);
  }

  /** Clients may send any number of unknown names, so a full cache is cleared; names in use are soon cached again. */
  #forget(): void {
    this.#byType.clear();
    this.#size = 0;
  }
}
