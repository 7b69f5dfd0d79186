import * as z from 'zod/mini';
import { dollarsOfPrice } from '../accounts/purchase.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { splitCommas } from '../wire/list.ts';
import { listedNameLength } from './channel.ts';

/** What a price is for, and the words for it. */
export const priceUnits = {
  tokens: { label: 'per million tokens' },
  picture: { label: 'per image' },
  characters: { label: 'per million characters' },
  second: { label: 'per second of audio' },
  searches: { label: 'per thousand searches' },
} as const;
export type PriceUnitName = keyof typeof priceUnits;

/** The parts of a price. All but the first are of models that are paid by tokens. */
export const priceParts = ['input', 'output', 'cached', 'cache_write', 'cache_long_write', 'reasoning'] as const;
export type PricePart = (typeof priceParts)[number];

/** The options that show the price table as ratios: each is one part of the prices. */
export const priceOptions = {
  ModelRatio: 'input',
  CompletionRatio: 'output',
  CacheReadRatio: 'cached',
  CacheWriteRatio: 'cache_write',
  CacheLongWriteRatio: 'cache_long_write',
  ReasoningRatio: 'reasoning',
} as const satisfies Readonly<Record<string, PricePart>>;
export type PriceOptionKey = keyof typeof priceOptions;

export const priceOptionKeys = Object.keys(priceOptions) as PriceOptionKey[];

export const isPriceOption = (key: string): key is PriceOptionKey => Object.hasOwn(priceOptions, key);

/** In dollars. */
const dollars = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  cache_write: z.number(),
  cache_long_write: z.number(),
  reasoning: z.number(),
});
export type PriceInDollars = z.output<typeof dollars>;

const unit = z.enum(Object.keys(priceUnits) as PriceUnitName[]);

export const modelPrice = z.object({
  model: z.string(),
  unit,
  source: z.enum(['built_in', 'yours', 'none']),
  /** What is charged now; of a model without a price what it would be charged, if it were. */
  price: dollars,
  /** What the maker charges, as far as it is known here. */
  built_in: z.nullable(dollars),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  /** How many enabled channels offer it. */
  channels: z.int(),
  /** The last change of the saved price, in seconds; null without one. */
  changed: z.nullable(z.object({ time: z.int(), by: z.string() })),
});
export type ModelPrice = z.output<typeof modelPrice>;

export const ownPrice = z.object({ model: z.string(), unit, has_price: z.boolean(), price: dollars });
export type OwnPrice = z.output<typeof ownPrice>;

const modelName = z.string().check(z.trim(), z.minLength(1), z.maxLength(listedNameLength.max));

/** `null` takes the own price away. Parts that are left out are those of the built-in price, in proportion. */
export const priceChange = z.object({
  model: modelName,
  price: z.nullable(
    z.object({
      input: dollarsOfPrice,
      output: z.optional(dollarsOfPrice),
      cached: z.optional(dollarsOfPrice),
      cache_write: z.optional(dollarsOfPrice),
      cache_long_write: z.optional(dollarsOfPrice),
      reasoning: z.optional(dollarsOfPrice),
    }),
  ),
});
export type PriceChange = z.output<typeof priceChange>;

/** USD for one unit, or a multiple of the input price (reasoning: of the output price). */
const priceCurrency = z.enum(['USD', 'ratio']);
export type PriceCurrency = z.output<typeof priceCurrency>;

/** What wrote a price: the price API, a ratio option, the configuration file, an import. */
const priceSource = z.enum(['prices', 'options', 'file', 'import']);
export type PriceSource = z.output<typeof priceSource>;

/** One change of one part of a saved price. Null: no saved price before, or after. */
export const priceChangeRecord = z.object({
  part: z.enum(priceParts),
  unit,
  old_amount: z.nullable(z.string()),
  old_currency: z.nullable(priceCurrency),
  amount: z.nullable(z.string()),
  currency: z.nullable(priceCurrency),
  source: priceSource,
  changed_time: z.int(),
  changed_by: z.string(),
});

/** So many times the built-in price, or that part of it, must be a mistake. */
export const implausibleTimes = 1000;
export const mostPriceChanges = 5000;

export const priceApi = {
  list: {
    method: 'GET',
    path: '/api/prices',
    access: 'admin',
    summary: 'What every model costs that is built in, saved or offered by a channel, in dollars',
    reply: z.array(modelPrice),
  },
  save: {
    method: 'PUT',
    path: '/api/prices',
    access: 'admin',
    summary: 'Change the prices of some models, in dollars; data is how many changed',
    body: z.object({ changes: z.array(priceChange).check(z.minLength(1), z.maxLength(mostPriceChanges)) }),
    reply: z.int(),
  },
  unpriced: {
    method: 'GET',
    path: '/api/prices/unpriced',
    access: 'admin',
    summary: 'Models without a price: those that enabled channels offer, or of the named ones',
    query: z.object({
      models: z.optional(z.pipe(z.string().check(z.maxLength(100_000)), z.transform(splitCommas))),
    }),
    reply: z.array(z.object({ model: z.string(), channels: z.int() })),
  },
  changes: {
    method: 'GET',
    path: '/api/prices/changes',
    access: 'admin',
    summary: 'All changes of the saved price of a model, oldest first',
    query: z.object({ model: modelName }),
    reply: z.array(priceChangeRecord),
  },
  listOwn: {
    method: 'GET',
    path: '/api/prices/self',
    access: 'user',
    summary: 'What the models cost that the caller can use, with the ratio of the caller’s group',
    reply: z.array(ownPrice),
  },
} as const satisfies EndpointTable;
