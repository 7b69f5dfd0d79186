import * as z from 'zod/mini';

/** Dollars, of a million tokens or of whatever a model is paid by: so high that it must be a mistake. */
const largestPrice = 100_000;

/** Anything cheaper is free, or a mistake: what is a multiple of it would be beyond all numbers. */
const leastPrice = 1e-9;

export const dollarsOfPrice = z.number().check(
  z.minimum(0),
  z.maximum(largestPrice),
  z.refine((price) => price === 0 || price >= leastPrice),
);

/** In dollars for a million tokens. The others are multiples of the input: with an input of nothing they are nothing. */
export const purchasePrice = z
  .object({
    input: dollarsOfPrice,
    output: dollarsOfPrice,
    cached: z.optional(dollarsOfPrice),
    cache_write: z.optional(dollarsOfPrice),
  })
  .check(z.refine(({ input, output, cached, cache_write }) => input > 0 || !(output || cached || cache_write)));

/** What a channel's requests cost whoever runs the gateway. */
export const purchase = z.object({
  /** Of the makers' list prices. */
  multiplier: z._default(z.number().check(z.minimum(0), z.maximum(1000)), 1),
  /** Models that cost something else. */
  models: z._default(z.record(z.string().check(z.minLength(1), z.maxLength(200)), purchasePrice), {}),
});
export type Purchase = z.output<typeof purchase>;

/** As it stands in a channel; undefined when nothing does, `false` when it cannot be read. */
export function readPurchase(text: string): Purchase | undefined | false {
  if (text.trim() === '') return undefined;
  try {
    // trusted JSON: a field of a channel, set by an admin and no longer than an API body.
    const parsed = purchase.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : false;
  } catch {
    return false;
  }
}
