import type { Citation, FinishReason, Usage } from '../chat/chat-response.ts';
import type { ResponseEnvelope } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';

export const messageId = ({ id }: ResponseEnvelope): string => `msg_${id}`;

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

interface Finish {
  readonly finishReason: FinishReason;
  readonly stopSequence?: string | undefined;
  /** Some upstreams end with calls but report a plain stop. */
  readonly hasCalls: boolean;
}

export function stopFields({ finishReason, stopSequence, hasCalls }: Finish): JsonObject {
  const isStop = finishReason === 'stop';
  if (isStop && stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  return { stop_reason: reasons[isStop && hasCalls ? 'tool_calls' : finishReason], stop_sequence: null };
}

const nothingUsed = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
} as const;

/** Cache reads and writes are reported separately from the input. Implausible figures are reported as zero. */
export function usageFields(usage: Usage | undefined): JsonObject {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return nothingUsed;
  const { cachedTokens: read = 0, cacheWriteTokens: written = 0 } = usage;
  const thinking = usage.reasoningTokens;
  return {
    input_tokens: Math.max(usage.promptTokens - read - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage.completionTokens,
    ...(thinking !== undefined && { output_tokens_details: { thinking_tokens: thinking } }),
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

export const citationFields = ({ url, title, text = '' }: Citation): JsonObject => ({
  type: 'web_search_result_location',
  url,
  title: title ?? null,
  cited_text: text,
  encrypted_index: '',
});
