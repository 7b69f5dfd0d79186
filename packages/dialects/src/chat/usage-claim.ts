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
  /** Audio, among the prompt and among the completion; images among the completion. */
  readonly audioTokens?: unknown;
  readonly audioCompletionTokens?: unknown;
  readonly imageCompletionTokens?: unknown;
}

/** How logs name the parts of a claim. */
export const claimNames = {
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  cached: 'cached_tokens',
  written: 'cache_write_tokens',
  writtenLong: 'cache_long_write_tokens',
  reasoning: 'reasoning_tokens',
  audio: 'audio_tokens',
  audioCompletion: 'audio_completion_tokens',
  imageCompletion: 'image_completion_tokens',
} as const;
