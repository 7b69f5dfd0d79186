/** Usage as reported by an upstream, not validated: any field may have any value or be absent. */
export interface UsageClaim {
  readonly promptTokens?: unknown;
  readonly completionTokens?: unknown;
  /** Sum of both; some upstreams report it instead of the completion. */
  readonly totalTokens?: unknown;
  /** Prompt tokens read from a cache, written to one, and written for an hour. */
  readonly cachedTokens?: unknown;
  readonly cacheWriteTokens?: unknown;
  readonly cacheLongWriteTokens?: unknown;
  /** Completion tokens used for reasoning. */
  readonly reasoningTokens?: unknown;
  /** Audio tokens of the prompt and completion, and image tokens of the completion. */
  readonly audioTokens?: unknown;
  readonly audioCompletionTokens?: unknown;
  readonly imageCompletionTokens?: unknown;
}

/** Names of the usage parts in logs. */
export const usagePartNames = {
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
