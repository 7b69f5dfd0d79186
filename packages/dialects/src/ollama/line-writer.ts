import type { ChatDelta, ChatResponse, FinishReason, ToolCall, Usage } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { ResponseEnvelope, StreamWriter } from '../dialect.ts';
import { type JsonObject, parseJsonObject } from '../json-fields.ts';
import { reasoningDetail } from '../reasoning-details.ts';

/** True if text is written in a message, false for a `response` field. */
export type LineShape = 'message' | 'response';

const headOf = ({ model, created }: ResponseEnvelope): string =>
  JSON.stringify({ model, created_at: new Date(created * 1000).toISOString() }).slice(0, -1);

const counts = (usage: Usage | undefined): JsonObject =>
  usage ? { prompt_eval_count: usage.promptTokens, eval_count: usage.completionTokens } : {};

/** Ollama has no finish reason for tool calls; clients look for the calls themselves. */
const reasonOf = (reason: FinishReason): string => (reason === 'tool_calls' ? 'stop' : reason);

/** Content fields of a line. */
function contentFields(shape: LineShape, content: string, otherFields: JsonObject): JsonObject {
  return shape === 'message'
    ? { message: { role: 'assistant', content, ...otherFields } }
    : { response: content, ...otherFields };
}

/** A whole response in Ollama's format. */
export function writeWholeResponse(
  { choices: [choice], usage }: ChatResponse,
  reply: ResponseEnvelope,
  shape: LineShape,
): string {
  const { content = '', refusal = '', reasoning, thoughts, toolCalls, images, finishReason = 'stop' } = choice ?? {};
  const words = contentFields(shape, content + refusal, {
    ...(reasoning !== undefined && { thinking: reasoning }),
    ...(thoughts && { reasoning_details: thoughts.map(reasoningDetail) }),
    ...(toolCalls && { tool_calls: toolCalls.map(callOf) }),
    ...(images && { images: images.map(({ data }) => data) }),
  });
  const end = { ...words, done: true, done_reason: reasonOf(finishReason), ...counts(usage) };
  return `${headOf(reply)},${JSON.stringify(end).slice(1)}`;
}

/** Response to a request without a prompt. */
export function writePreloadResponse(reply: ResponseEnvelope, shape: LineShape, reason: 'load' | 'unload'): string {
  const end = { ...contentFields(shape, '', {}), done: true, done_reason: reason };
  return `${headOf(reply)},${JSON.stringify(end).slice(1)}`;
}

/** Malformed arguments become an empty object. */
const callOf = ({ id, name, arguments: given, thoughtSignature }: ToolCall, index: number): JsonObject => ({
  ...(id !== '' && { id }),
  function: { index, name, arguments: parseJsonObject(given) ?? {} },
  ...(thoughtSignature !== undefined && { extra_content: { google: { thought_signature: thoughtSignature } } }),
});

/** Writes deltas as lines of JSON. A call is written when it is complete. */
export class LineWriter implements StreamWriter {
  readonly contentType = 'application/x-ndjson';
  readonly #head: string;
  readonly #shape: LineShape;
  readonly #calls = new Map<number, ToolCall>();
  #reason: FinishReason = 'stop';
  #thoughts = 0;
  /** Text of the open reasoning block. */
  #thinking = '';

  constructor(reply: ResponseEnvelope, shape: LineShape) {
    this.#head = headOf(reply);
    this.#shape = shape;
  }

  write(delta: ChatDelta): string {
    if ((delta.choice ?? 0) !== 0) return '';
    if (delta.finishReason !== undefined) this.#reason = delta.finishReason;
    if (delta.toolCall) this.#addCall(delta.toolCall);
    const message = (delta.content ?? '') + (delta.refusal ?? '');
    const otherFields = this.#beside(delta);
    return message === '' && !otherFields ? '' : this.#line(message, otherFields ?? {}, { done: false });
  }

  end(usage: Usage | undefined): string {
    const calls = [...this.#calls].sort(([one], [other]) => one - other).map(([, call]) => call);
    const callLine = calls.length === 0 ? '' : this.#line('', { tool_calls: calls.map(callOf) }, { done: false });
    return callLine + this.#line('', {}, { done: true, done_reason: reasonOf(this.#reason), ...counts(usage) });
  }

  #line(message: string, otherFields: JsonObject, end: JsonObject): string {
    const fields = JSON.stringify({ ...contentFields(this.#shape, message, otherFields), ...end });
    return `${this.#head},${fields.slice(1)}\n`;
  }

  #beside({ reasoning, thought, image }: ChatDelta): JsonObject | undefined {
    this.#thinking += reasoning ?? '';
    if (reasoning === undefined && !thought && !image) return undefined;
    return {
      ...(reasoning !== undefined && { thinking: reasoning }),
      ...(thought && { reasoning_details: [this.#detailOf(thought)] }),
      ...(image && { images: [image.data] }),
    };
  }

  #addCall({ index, id, name, arguments: piece, thoughtSignature }: NonNullable<ChatDelta['toolCall']>): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    const signature = call.thoughtSignature ?? thoughtSignature;
    this.#calls.set(index, {
      id: call.id || (id ?? ''),
      name: call.name || (name ?? ''),
      arguments: call.arguments + piece,
      ...(signature !== undefined && { thoughtSignature: signature }),
    });
  }

  /** A signature is useless without its text. */
  #detailOf(seal: ReasoningBlock): JsonObject {
    if (seal.sealed !== undefined) return reasoningDetail(seal, this.#thoughts++);
    const text = this.#thinking;
    this.#thinking = '';
    return reasoningDetail({ ...seal, text }, this.#thoughts++);
  }
}
