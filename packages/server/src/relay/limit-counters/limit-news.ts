import * as z from 'zod/mini';

/**
 * A counter, what was used of it or given back, and how many milliseconds before it was said that was counted in; of requests
 * under way: how many there are.
 */
const entry = z.tuple([z.string(), z.int(), z.int().check(z.nonnegative())]);
export type NewsEntry = z.infer<typeof entry>;
const amount = z.int().check(z.nonnegative());

/** What a node says to all others about limits. */
export const limitNews = z.object({
  /** By which it knows its own again. */
  number: z.optional(z.int()),
  entries: z.optional(z.array(entry)),
  /** When it was said, in milliseconds of the clock of whoever says it. */
  said: z.optional(z.int()),
  /** It asks for all that counts; the number of its question. */
  asks: z.optional(z.int()),
  /** An answer to the question of a node. */
  answers: z.optional(
    z.object({
      to: z.string(),
      question: z.int(),
      /** Whether the one who answers has missed nothing himself. */
      isWhole: z.boolean(),
      isLast: z.boolean(),
      windows: z.array(z.tuple([z.string(), z.array(z.tuple([amount, amount]))])),
      underWay: z.array(z.tuple([z.string(), z.string(), amount])),
    }),
  ),
});
export type LimitNews = z.infer<typeof limitNews>;
export type LimitAnswer = NonNullable<LimitNews['answers']>;

/** Where nodes hear each other: everybody hears everything in the same order, the one who says it too. */
export interface LimitBus {
  /** Who says it here. */
  readonly id: string;
  /** Whether there is anybody else. */
  readonly isHeard: boolean;
  say(news: LimitNews): void;
}

/** PostgreSQL sends no more than 8,000 bytes at once. */
const longestText = 6500;

/** In parts that can be sent. */
export function textsOf<Entry>(entries: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let length = longestText;
  for (const one of entries) {
    const size = JSON.stringify(one).length + 1;
    if (length + size > longestText) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(one);
    length += size;
  }
  return parts;
}
