import type { Usage } from '../chat/chat-response.ts';
import type { JsonObject } from '../json-fields.ts';

/** Undefined for implausible figures, which are not charged. Reasoning is reported separately. */
export function usageMetadata(usage: Usage | undefined): JsonObject | undefined {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return undefined;
  const { promptTokens: prompt, completionTokens: completion } = usage;
  const thoughts = Math.min(usage.reasoningTokens ?? 0, completion);
  const cached = usage.cachedTokens ?? 0;
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: completion - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + completion,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;
