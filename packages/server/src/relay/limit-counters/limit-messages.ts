import * as z from 'zod/mini';

/**
 * Counter, amount used or returned, and its age in milliseconds when sent; for in-flight requests, the current count.
 */
const entry = z.tuple([z.string(), z.int(), z.int().check(z.nonnegative())]);
export type LimitMessageEntry = z.infer<typeof entry>;
const amount = z.int().check(z.nonnegative());

/** Message about limits from one node to all others. */
export const limitMessage = z.object({
  /** Lets the sender recognize its own message. */
  number: z.optional(z.int()),
  entries: z.optional(z.array(entry)),
  /** Sending time in milliseconds of the sender's clock. */
  said: z.optional(z.int()),
  /** Number of a question for all current counts. */
  asks: z.optional(z.int()),
  /** Answer to a node's question. */
  answers: z.optional(
    z.object({
      to: z.string(),
      question: z.int(),
      /** True if the answering node has missed nothing itself. */
      isWhole: z.boolean(),
      isLast: z.boolean(),
      windows: z.array(z.tuple([z.string(), z.array(z.tuple([amount, amount]))])),
      inFlight: z.array(z.tuple([z.string(), z.string(), amount])),
    }),
  ),
});
export type LimitMessage = z.infer<typeof limitMessage>;
export type LimitAnswer = NonNullable<LimitMessage['answers']>;

/** Message bus of the nodes: every node receives everything in the same order, including its own messages. */
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
