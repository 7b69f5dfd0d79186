import type { Usage } from '../chat/chat-response.ts';
import type { JsonObject } from '../json-fields.ts';

/** Usage in OpenAI's format; undefined for implausible figures, which are not charged. */
export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return undefined;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const isCached = cachedTokens !== undefined || cacheWriteTokens !== undefined;
  // Undefined fields are omitted in JSON.
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: isCached ? { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens } : undefined,
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;
