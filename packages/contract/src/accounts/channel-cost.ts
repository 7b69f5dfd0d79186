import * as z from 'zod/mini';
import { matchesPattern } from './token-scope.ts';

/** Maximum price in dollars per million tokens or per unit; anything above is treated as a mistake. */
const maxPrice = 100_000;

/** Minimum nonzero price; anything below is treated as a mistake, and ratios based on it would overflow. */
const minPrice = 1e-9;

export const dollarPrice = z.number().check(
  z.minimum(0),
  z.maximum(maxPrice),
  z.refine((price) => price === 0 || price >= minPrice),
);

/**
 * Dollars per million tokens. The other prices are stored as multiples of the input price, so they must be 0 if it is
 * 0.
 */
export const costPrice = z
  .object({
    input: dollarPrice,
    output: dollarPrice,
    cached: z.optional(dollarPrice),
    cache_write: z.optional(dollarPrice),
    /** Additional dollars per request. */
    call: z.optional(dollarPrice),
  })
  .check(z.refine(({ input, output, cached, cache_write }) => input > 0 || !(output || cached || cache_write)));

const multiplier = z.number().check(z.minimum(0), z.maximum(1000));

/** Price of a model in dollars, or as a multiple of the list price, such as the provider's group ratio. */
const modelCostOverride = z.union([costPrice, z.object({ multiplier })]);

/** The operator's cost of requests on a channel. */
export const channelCost = z.object({
  /** Multiplier on the provider's list prices. */
  multiplier: z._default(multiplier, 1),
  /** Cost overrides by model name or pattern. */
  models: z._default(z.record(z.string().check(z.minLength(1), z.maxLength(200)), modelCostOverride), {}),
});
export type ChannelCost = z.output<typeof channelCost>;
export type ModelCostOverride = z.output<typeof modelCostOverride>;

/** Override for a model: an exact name takes precedence over the longest matching pattern. */
export function findCostOverride<Price>(models: Readonly<Record<string, Price>>, model: string): Price | undefined {
  if (Object.hasOwn(models, model)) return models[model];
  const patterns = Object.keys(models).filter((name) => name.includes('*') && matchesPattern(name, model));
  const [longest] = patterns.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : models[longest];
}

/** Reads the `purchase` field of a channel. Undefined if it is empty, `false` if it is invalid. */
export function readChannelCost(text: string): ChannelCost | undefined | false {
  if (text.trim() === '') return undefined;
  try {
    // trusted JSON: a field of a channel, set by an admin and no longer than an API body.
    const parsed = channelCost.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : false;
  } catch {
    return false;
  }
}
