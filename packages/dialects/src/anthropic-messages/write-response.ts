import type { ChatChoice, ChatResponse, Citation, FinishReason, ToolCall, Usage } from '../chat/chat-response.ts';
import { unsignedReasoning } from '../chat/reasoning-block.ts';
import type { ErrorResponse, Failure, ResponseEnvelope } from '../dialect.ts';
import { type JsonObject, parseJsonObject } from '../json-fields.ts';
import { callSignature, writeReasoningBlock } from './reasoning-blocks.ts';

/** A whole response in Anthropic's format, with one choice and without images or audio. */
export function writeResponse({ choices, usage }: ChatResponse, reply: ResponseEnvelope): string {
  const choice: ChatChoice = choices[0] ?? { content: '', finishReason: 'stop' };
  return JSON.stringify({
    id: messageId(reply),
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: contentOf(choice, reply),
    ...stopFields({ ...choice, hasCalls: (choice.toolCalls ?? []).length > 0 }),
    usage: usageFields(usage),
  });
}

function contentOf(choice: ChatChoice, reply: ResponseEnvelope): readonly JsonObject[] {
  const { content, thoughts = [], refusal = '', citations = [], toolCalls = [] } = choice;
  const unsealed = unsignedReasoning(choice);
  return [
    ...(unsealed === '' ? [] : [writeReasoningBlock({ text: unsealed })]),
    ...thoughts.map(writeReasoningBlock),
    ...(content === '' && citations.length === 0 ? [] : [textBlock(content, citations.map(citationFields))]),
    ...(refusal === '' ? [] : [textBlock(refusal, [])]),
    ...toolCalls.flatMap((call, index) => callBlocks(call, callId(call.id, reply, index))),
  ];
}

const textBlock = (text: string, citations: readonly JsonObject[]): JsonObject => ({
  type: 'text',
  text,
  ...(citations.length > 0 && { citations }),
});

const callBlocks = ({ name, arguments: json, thoughtSignature }: ToolCall, id: string): readonly JsonObject[] => [
  ...(thoughtSignature === undefined ? [] : [writeReasoningBlock(callSignature(thoughtSignature))]),
  { type: 'tool_use', id, name, input: inputOf(json) },
];

/** Id of a call, to which its result refers. */
export const callId = (id: string | undefined, reply: ResponseEnvelope, index: number): string =>
  id || `toolu_${reply.id}_${index}`;

/** Parses the arguments of a call; truncated arguments become an empty object. */
const inputOf = (json: string): JsonObject => parseJsonObject(json) ?? {};

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Anthropic's overload status, for which clients back off. */
const overloaded = 529;

const typeOf = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

const errorBody = ({ status, message, requestId }: Failure): JsonObject => ({
  type: 'error',
  error: { type: typeOf(status), message },
  request_id: requestId,
});

export const writeError = (failure: Failure): ErrorResponse => ({
  status: failure.status === 503 ? overloaded : failure.status,
  body: errorBody(failure),
});

export const writeErrorEvent = (failure: Failure): string => formatEvent('error', errorBody(failure));

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
  /** Some upstreams return tool calls but report a plain stop. */
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

/** Cache reads and writes are excluded from the input. Implausible counts are reported as zero. */
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

/** An event of the stream; its data repeats the event name. */
export const formatEvent = (name: string, data: JsonObject): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
