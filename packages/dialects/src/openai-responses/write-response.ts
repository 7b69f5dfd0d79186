import type { ChatDelta, ChatResponse, FinishReason, Usage } from '../chat/chat-response.ts';
import { toDeltas } from '../chat/merge-deltas.ts';
import type { ErrorResponse, Failure, ResponseEnvelope, StreamWriter } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { objectAt } from '../upstream-fields.ts';
import { fieldsOf } from './output-message.ts';
import { ResponseOutput } from './response-output.ts';

const responseId = (requestId: string): string => `resp_${requestId}`;

/** Fields repeated from the request, with their defaults. */
const repeated: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  safety_identifier: null,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

/** Fields that all events of a response share. */
function responseHead({ id, created, model, body, storing }: ResponseEnvelope): string {
  const repeatedFields = Object.entries(repeated).map(([name, usual]) => [name, body[name] ?? usual]);
  return fieldsOf({
    id: responseId(id),
    object: 'response',
    created_at: created,
    model,
    background: false,
    previous_response_id: storing?.previous ?? null,
    service_tier: 'default',
    store: storing !== undefined,
    reasoning: { effort: null, summary: null, ...objectAt(body, 'reasoning') },
    text: { format: { type: 'text' }, ...objectAt(body, 'text') },
    ...(Object.fromEntries(repeatedFields) as JsonObject),
  });
}

const begun = '"status":"in_progress","error":null,"incomplete_details":null,"output":[],"usage":null';

const cutReasons: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Fields of a finished response. */
function ended({ finishReason, items }: ResponseOutput, usage: Usage | undefined): string {
  const reason = cutReasons[finishReason];
  return fieldsOf({
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: items,
    usage: usageOf(usage),
  });
}

/** Usage in this dialect's format; null for implausible counts, which are not charged. */
function usageOf(usage: Usage | undefined): JsonObject | null {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return null;
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

export function writeResponse({ choices, usage }: ChatResponse, reply: ResponseEnvelope): string {
  const output = new ResponseOutput(reply, () => undefined);
  for (const delta of toDeltas({ choices: choices.slice(0, 1), usage })) output.add(delta);
  output.end();
  return `{${responseHead(reply)},${ended(output, usage)}}`;
}

/** Writes deltas as events of a response, each with a sequence number. */
export class ResponseWriter implements StreamWriter {
  readonly #head: string;
  readonly #output: ResponseOutput;
  #number = 0;
  #events = '';
  whole: string | undefined;

  constructor(reply: ResponseEnvelope) {
    this.#head = responseHead(reply);
    this.#output = new ResponseOutput(reply, (type, fields) => this.#emit(type, fields));
  }

  write(delta: ChatDelta): string {
    this.#begin();
    this.#output.add(delta);
    return this.#take();
  }

  end(usage: Usage | undefined): string {
    this.#begin();
    this.#output.end();
    const isCut = cutReasons[this.#output.finishReason] !== undefined;
    this.whole = `{${this.#head},${ended(this.#output, usage)}}`;
    this.#emit(isCut ? 'response.incomplete' : 'response.completed', `"response":${this.whole}`);
    return this.#take();
  }

  #begin(): void {
    if (this.#number > 0) return;
    this.#emit('response.created', this.#response(begun));
    this.#emit('response.in_progress', this.#response(begun));
  }

  #response(fields: string): string {
    return `"response":{${this.#head},${fields}}`;
  }

  #emit(type: string, fields: string): void {
    this.#events += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#number++},${fields}}\n\n`;
  }

  #take(): string {
    const events = this.#events;
    this.#events = '';
    return events;
  }
}

const messageOf = ({ message, requestId }: Failure) => `${message} (request id: ${requestId})`;

export const writeError = (failure: Failure): ErrorResponse => ({
  status: failure.status,
  body: {
    error: { message: messageOf(failure), type: failure.type, param: failure.param, code: failure.code },
  },
});

/**
 * Writes OpenAI's two error events: SDKs throw on the first, and Codex reads only the second. Both must contain the
 * response.
 */
export function writeErrorEvent(failure: Failure): string {
  const message = messageOf(failure);
  const code = failure.code ?? codeOf(failure.status);
  const errorFields = { type: 'error', sequence_number: 0, code, message, param: failure.param };
  const response = {
    id: responseId(failure.requestId),
    object: 'response',
    status: 'failed',
    error: { code, message },
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const failed = { type: 'response.failed', sequence_number: 0, response };
  return `event: error\ndata: ${JSON.stringify(errorFields)}\n\nevent: response.failed\ndata: ${JSON.stringify(failed)}\n\n`;
}

/** Error codes from which clients decide whether to retry. */
function codeOf(status: number): string {
  if (status === 429) return 'rate_limit_exceeded';
  if (status === 402) return 'insufficient_quota';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
