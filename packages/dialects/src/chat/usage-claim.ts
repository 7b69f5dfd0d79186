/** What an upstream says a request used, unjudged: it may be anything, or absent. */
export interface UsageClaim {
  readonly promptTokens?: unknown;
  readonly completionTokens?: unknown;
  /** Sum of both; some tell it in place of the completion. */
  readonly totalTokens?: unknown;
  /** Among the prompt: read from a cache, written into one, and of these what is kept for an hour. */
  readonly cachedTokens?: unknown;
  readonly cacheWriteTokens?: unknown;
  readonly cacheLongWriteTokens?: unknown;
  /** Thoughts, among the completion. */
  readonly reasoningTokens?: unknown;
}

/** How logs name the parts of a claim. */
export const claimNames = {
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  cached: 'cached_tokens',
  written: 'cache_write_tokens',
  writtenLong: 'cache_long_write_tokens',
  reasoning: 'reasoning_tokens',
} as const;
