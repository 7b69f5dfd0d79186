import type { Usage } from '../chat/chat-answer.ts';
import type { JsonObject } from '../json-fields.ts';

/** Usage in OpenAI's words; undefined when what the upstream tells cannot be: then it is not charged by it either. */
export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return undefined;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const isCached = cachedTokens !== undefined || cacheWriteTokens !== undefined;
  // Undefined ones are left out where it becomes JSON.
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: isCached ? { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens } : undefined,
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;
