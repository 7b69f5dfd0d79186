import * as z from 'zod/mini';

/** Dollars, of a million tokens or of whatever a model is paid by: so high that it must be a mistake. */
export const largestPrice = 100_000;

const dollars = z.number().check(z.minimum(0), z.maximum(largestPrice));

/** What a channel's requests cost whoever runs the gateway. */
export const purchase = z.object({
  /** Of the makers' list prices. */
  multiplier: z._default(z.number().check(z.minimum(0), z.maximum(1000)), 1),
  /** Models that cost something else, in dollars for a million tokens. */
  models: z._default(
    z.record(
      z.string().check(z.minLength(1), z.maxLength(200)),
      z.object({
        input: dollars,
        output: dollars,
        cached: z.optional(dollars),
        cache_write: z.optional(dollars),
      }),
    ),
    {},
  ),
});
export type Purchase = z.output<typeof purchase>;

/** As it stands in a channel; undefined when nothing does, `false` when it cannot be read. */
export function readPurchase(text: string): Purchase | undefined | false {
  if (text.trim() === '') return undefined;
  try {
    const parsed = purchase.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : false;
  } catch {
    return false;
  }
}
