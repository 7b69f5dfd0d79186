import * as z from 'zod/mini';
import { dollarPrice } from '../accounts/channel-cost.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { splitCommas } from '../wire/list.ts';
import { listedNameLength } from './channel.ts';

/** Units of prices and their labels. */
export const priceUnits = {
  tokens: { label: 'per million tokens' },
  picture: { label: 'per image' },
  characters: { label: 'per million characters' },
  second: { label: 'per second of audio' },
  searches: { label: 'per thousand searches' },
  page: { label: 'per page' },
} as const;
export type PriceUnitName = keyof typeof priceUnits;

/**
 * Price parts, with the part on which each is based; null for a separate amount. All parts except the input and the
 * call apply only to models that are charged by tokens.
 */
export const priceBases = {
  input: null,
  output: 'input',
  cached: 'input',
  cache_write: 'input',
  cache_long_write: 'input',
  reasoning: 'output',
  audio: 'input',
  cached_audio: 'cached',
  audio_output: 'output',
  image: 'input',
  cached_image: 'cached',
  image_output: 'output',
  flex: 'input',
  priority: 'input',
  call: null,
} as const satisfies Readonly<Record<string, string | null>>;
export type PricePart = keyof typeof priceBases;
export const priceParts = Object.keys(priceBases) as PricePart[];

/**
 * Service tiers for which a provider has different prices. Their part is the input price; all other parts follow it.
 */
export const serviceTiers = ['flex', 'priority'] as const satisfies readonly PricePart[];
export type ServiceTier = (typeof serviceTiers)[number];
export const isServiceTier = (name: unknown): name is ServiceTier => serviceTiers.some((tier) => tier === name);

/** Parts of a price in this unit. */
export const partsOfUnit = (unit: PriceUnitName): readonly PricePart[] =>
  unit === 'tokens' ? priceParts : (['input', 'call'] as const);

/** Options that show one part of the prices as ratios. */
export const priceOptions = {
  ModelRatio: 'input',
  CompletionRatio: 'output',
  CacheReadRatio: 'cached',
  CacheWriteRatio: 'cache_write',
  CacheLongWriteRatio: 'cache_long_write',
  ReasoningRatio: 'reasoning',
  AudioRatio: 'audio',
  CachedAudioRatio: 'cached_audio',
  AudioOutputRatio: 'audio_output',
  ImageRatio: 'image',
  CachedImageRatio: 'cached_image',
  ImageOutputRatio: 'image_output',
  FlexRatio: 'flex',
  PriorityRatio: 'priority',
  CallRatio: 'call',
} as const satisfies Readonly<Record<string, PricePart>>;
export type PriceOptionKey = keyof typeof priceOptions;

/** Points per request for a call ratio of 1. */
export const pointsPerCall = 1000;

export const priceOptionKeys = Object.keys(priceOptions) as PriceOptionKey[];

export const isPriceOption = (key: string): key is PriceOptionKey => Object.hasOwn(priceOptions, key);

/** Prices in dollars. */
export const dollars = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  cache_write: z.number(),
  cache_long_write: z.number(),
  reasoning: z.number(),
  audio: z.number(),
  cached_audio: z.number(),
  audio_output: z.number(),
  image: z.number(),
  cached_image: z.number(),
  image_output: z.number(),
  /** Input price of a service tier; 0 if the tier has no price. */
  flex: z.number(),
  priority: z.number(),
  /** Per request, in addition to its tokens or units. */
  call: z.number(),
} satisfies Readonly<Record<PricePart, unknown>>);
export type PriceInDollars = z.output<typeof dollars>;

export const priceUnit = z.enum(Object.keys(priceUnits) as PriceUnitName[]);

export const modelPrice = z.object({
  model: z.string(),
  unit: priceUnit,
  source: z.enum(['built_in', 'yours', 'none']),
  /** The price that is charged; for a model without a price, the default price. */
  price: dollars,
  /** List price of the provider; null if unknown. */
  built_in: z.nullable(dollars),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  /** Number of enabled channels that offer the model. */
  channels: z.int(),
  /** Last change of the saved price; null without a saved price. */
  changed: z.nullable(z.object({ time: z.int(), by: z.string() })),
});
export type ModelPrice = z.output<typeof modelPrice>;

export const ownPrice = z.object({ model: z.string(), unit: priceUnit, has_price: z.boolean(), price: dollars });
export type OwnPrice = z.output<typeof ownPrice>;

const modelName = z.string().check(z.trim(), z.minLength(1), z.maxLength(listedNameLength.max));

/**
 * A price to save. Omitted parts follow the built-in price in proportion; an omitted call or service tier has no price.
 */
export const enteredPrice = {
  input: dollarPrice,
  output: z.optional(dollarPrice),
  cached: z.optional(dollarPrice),
  cache_write: z.optional(dollarPrice),
  cache_long_write: z.optional(dollarPrice),
  reasoning: z.optional(dollarPrice),
  audio: z.optional(dollarPrice),
  cached_audio: z.optional(dollarPrice),
  audio_output: z.optional(dollarPrice),
  image: z.optional(dollarPrice),
  cached_image: z.optional(dollarPrice),
  image_output: z.optional(dollarPrice),
  flex: z.optional(dollarPrice),
  priority: z.optional(dollarPrice),
  call: z.optional(dollarPrice),
} satisfies Readonly<Record<PricePart, unknown>>;

/** `null` removes the saved price. */
export const priceChange = z.object({ model: modelName, price: z.nullable(z.object(enteredPrice)) });
export type PriceChange = z.output<typeof priceChange>;

/** A price change proposed by a price list. */
export const priceProposalKinds = ['new', 'rise', 'fall', 'from_zero', 'to_zero', 'unit', 'ambiguous'] as const;
export type PriceProposalKind = (typeof priceProposalKinds)[number];

export const priceProposal = z.object({
  model: z.string(),
  kind: z.enum(priceProposalKinds),
  /** Number of enabled channels that offer the model. */
  channels: z.int(),
  /** Provider in the list; several, separated by commas, if their prices differ. */
  provider: z.string(),
  /** Largest change among the parts, in percent; null without a current price. */
  percent: z.nullable(z.number()),
  before: z.nullable(dollars),
  /** Null if no price can be proposed. */
  after: z.nullable(z.extend(z.partial(dollars), { input: z.number() })),
});
export type PriceProposal = z.output<typeof priceProposal>;

/** Dollars per unit, or a ratio to the input price (reasoning: to the output price). */
const priceCurrency = z.enum(['USD', 'ratio']);
export type PriceCurrency = z.output<typeof priceCurrency>;

/** Published price lists that can be read. */
export const priceListFormats = {
  models_dev: { label: 'models.dev' },
  litellm: { label: 'LiteLLM price map' },
  gateway: { label: 'Price list of a gateway' },
} as const;
export type PriceListFormat = keyof typeof priceListFormats;
const priceListFormat = z.enum(Object.keys(priceListFormats) as PriceListFormat[]);

/** Source of a price change: the price API, a ratio option, the configuration file, an import or a price list. */
const priceSource = z.enum([
  'prices',
  'options',
  'file',
  'import',
  ...(Object.keys(priceListFormats) as PriceListFormat[]),
]);
export type PriceSource = z.output<typeof priceSource>;

/** A change of one part of a saved price. Null: no saved price before or after. */
export const priceChangeRecord = z.object({
  part: z.enum(priceParts),
  unit: priceUnit,
  old_amount: z.nullable(z.string()),
  old_currency: z.nullable(priceCurrency),
  amount: z.nullable(z.string()),
  currency: z.nullable(priceCurrency),
  source: priceSource,
  changed_time: z.int(),
  changed_by: z.string(),
});

/** A price that differs from the built-in price by more than this factor is treated as a mistake. */
export const implausiblePriceFactor = 1000;
export const maxPriceChanges = 5000;

export const priceApi = {
  list: {
    method: 'GET',
    path: '/api/prices',
    access: 'admin',
    reply: z.array(modelPrice),
  },
  save: {
    method: 'PUT',
    path: '/api/prices',
    access: 'admin',
    body: z.object({
      changes: z.array(priceChange).check(z.minLength(1), z.maxLength(maxPriceChanges)),
      list: z.optional(priceListFormat),
    }),
    reply: z.int(),
  },
  compare: {
    method: 'POST',
    path: '/api/prices/compare',
    access: 'admin',
    body: z.object({ url: z.optional(z.string().check(z.trim(), z.maxLength(2000))) }),
    reply: z.object({
      format: priceListFormat,
      url: z.string(),
      prices: z.int(),
      proposals: z.array(priceProposal),
    }),
  },
  unpriced: {
    method: 'GET',
    path: '/api/prices/unpriced',
    access: 'admin',
    query: z.object({
      models: z.optional(z.pipe(z.string().check(z.maxLength(100_000)), z.transform(splitCommas))),
    }),
    reply: z.array(z.object({ model: z.string(), channels: z.int() })),
  },
  changes: {
    method: 'GET',
    path: '/api/prices/changes',
    access: 'admin',
    query: z.object({ model: modelName }),
    reply: z.array(priceChangeRecord),
  },
  listOwn: {
    method: 'GET',
    path: '/api/prices/self',
    access: 'user',
    reply: z.array(ownPrice),
  },
} as const satisfies EndpointTable;
