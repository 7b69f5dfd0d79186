import * as z from 'zod/mini';

/**
 * Counter, amount used or returned, and its age in milliseconds when sent; for in-flight requests, the current count.
 */
const entry = z.tuple([z.string(), z.int(), z.int().check(z.nonnegative())]);
export type LimitMessageEntry = z.infer<typeof entry>;
const amount = z.int().check(z.nonnegative());

/** Message about limits from one node to all others. */
export const limitMessage = z.object({
  /** Identifies the sender's own message. */
  number: z.optional(z.int()),
  entries: z.optional(z.array(entry)),
  /** Sending time in milliseconds of the sender's clock. */
  said: z.optional(z.int()),
  /** Number of a catch-up request for all current counts. */
  asks: z.optional(z.int()),
  /** Response to a node's catch-up request. */
  answers: z.optional(
    z.object({
      to: z.string(),
      question: z.int(),
      /** True if the responding node has not missed anything itself. */
      isWhole: z.boolean(),
      isLast: z.boolean(),
      windows: z.array(z.tuple([z.string(), z.array(z.tuple([amount, amount]))])),
      inFlight: z.array(z.tuple([z.string(), z.string(), amount])),
    }),
  ),
});
export type LimitMessage = z.infer<typeof limitMessage>;
export type CatchUpResponse = NonNullable<LimitMessage['answers']>;

/** Message bus between nodes. Every node receives all messages in the same order, including its own. */
export interface LimitBus {
  /** Id of this node. */
  readonly id: string;
  /** True if there are other nodes. */
  readonly hasOthers: boolean;
  send(news: LimitMessage): void;
}

/** PostgreSQL notifications are limited to 8,000 bytes. */
const longestText = 6500;

/** Splits entries into parts that fit one message. */
export function splitIntoMessages<Entry>(entries: readonly Entry[]): Entry[][] {
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
