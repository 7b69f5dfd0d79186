/** What an upstream says a request used, unjudged: it may be anything, or absent. */
export interface UsageClaim {
  readonly promptTokens?: unknown;
  readonly completionTokens?: unknown;
  /** Sum of both; some tell it in place of the completion. */
  readonly totalTokens?: unknown;
}

/** How logs name the parts of a claim. */
export const claimNames = { prompt: 'prompt_tokens', completion: 'completion_tokens' } as const;
