import type { ChatChoice, ChatDelta, ChatResponse, Usage } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { InlineData } from '../data-url.ts';
import type { ResponseEnvelope, StreamWriter } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { reasoningDetail } from '../reasoning-details.ts';
import type { EventHead, EventMerger } from '../response-scan.ts';

/** Data of the last event, which is not JSON. */
export const endMarker = '[DONE]';

export const endEvent = `data: ${endMarker}\n\n`;

const idOf = ({ id }: Pick<ResponseEnvelope, 'id'>) => `chatcmpl-${id}`;

/** A whole response in OpenAI's format. */
export const writeResponse = ({ choices, usage }: ChatResponse, reply: ResponseEnvelope): string =>
  JSON.stringify({
    id: idOf(reply),
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice, reply),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    // Undefined is omitted.
    usage: writeUsage(usage),
  });

function messageOf(choice: ChatChoice, reply: ResponseEnvelope) {
  const { content, reasoning, thoughts, refusal, citations, images, toolCalls, audio } = choice;
  return {
    role: 'assistant',
    content: content === '' && (toolCalls ?? audio ?? refusal) ? null : content,
    ...(refusal !== undefined && { refusal }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(thoughts && { reasoning_details: thoughts.map(reasoningDetail) }),
    ...(citations && { annotations: citations.map(annotationOf) }),
    ...(images && { images: images.map(imageOf) }),
    ...(audio !== undefined && { audio: soundOf(audio, reply) }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: given, thoughtSignature }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
        ...extraContent(thoughtSignature),
      })),
    }),
  };
}

const annotationOf = ({ url, title = '' }: { readonly url: string; readonly title?: string }) => ({
  type: 'url_citation',
  url_citation: { url, title },
});

const imageOf = ({ mediaType, data }: InlineData) => ({
  type: 'image_url',
  image_url: { url: `data:${mediaType};base64,${data}` },
});

/** The gateway does not store audio, so its id expires immediately. */
const soundOf = (data: string, reply: ResponseEnvelope) => ({
  id: `audio_${idOf(reply)}`,
  data,
  expires_at: reply.created,
  transcript: '',
});

/** Not part of OpenAI's API; Google uses this field and clients read it. */
const extraContent = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

const chunkHead = (reply: EventHead): string => {
  const { created, model } = reply;
  const head = JSON.stringify({ id: idOf(reply), object: 'chat.completion.chunk', created, model });
  return `data: ${head.slice(0, -1)},"choices":`;
};

/** Last event before the end marker, for clients that request usage; empty without usage. */
export function usageEvent(usage: Usage | undefined, reply: EventHead): string {
  const reported = writeUsage(usage);
  return reported ? `${chunkHead(reply)}[],"usage":${JSON.stringify(reported)}}\n\n` : '';
}

/** Writes deltas as events of OpenAI's stream. Constant parts are serialized once. */
export class ChunkWriter implements StreamWriter {
  readonly #head: string;
  readonly #begun = new Set<number>();
  readonly #soundId: string;
  readonly #reply: ResponseEnvelope;
  #thoughts = 0;
  /** Text of the open reasoning block. */
  #thinking = '';

  constructor(reply: ResponseEnvelope) {
    this.#reply = reply;
    this.#soundId = `audio_${idOf(reply)}`;
    this.#head = chunkHead(reply);
  }

  write(delta: ChatDelta): string {
    const index = delta.choice ?? 0;
    const fields = this.#fieldsOf(delta);
    const role = this.#begun.has(index) ? '' : this.#begin(index, fields);
    const reason = delta.finishReason === undefined ? 'null' : `"${delta.finishReason}"`;
    return `${this.#head}[{"index":${index},"delta":{${role}${fields}},"finish_reason":${reason}}]}\n\n`;
  }

  end(usage: Usage | undefined): string {
    return (this.#reply.wantsUsage ? usageEvent(usage, this.#reply) : '') + endEvent;
  }

  #begin(index: number, fields: string): string {
    this.#begun.add(index);
    return fields === '' ? '"role":"assistant","content":""' : '"role":"assistant",';
  }

  #fieldsOf(delta: ChatDelta): string {
    const { content, reasoning, toolCall, audio } = delta;
    const fields: string[] = [];
    if (content !== undefined) fields.push(`"content":${JSON.stringify(content)}`);
    if (reasoning !== undefined) {
      fields.push(`"reasoning_content":${JSON.stringify(reasoning)}`);
      this.#thinking += reasoning;
    }
    if (audio !== undefined) fields.push(`"audio":${JSON.stringify({ id: this.#soundId, data: audio })}`);
    if (toolCall) {
      const { index, id, name, arguments: piece, thoughtSignature } = toolCall;
      const begins = id === undefined ? {} : { id, type: 'function' };
      const called = { ...(name !== undefined && { name }), arguments: piece };
      fields.push(
        `"tool_calls":[${JSON.stringify({ index, ...begins, function: called, ...extraContent(thoughtSignature) })}]`,
      );
    }
    this.#addRareFields(delta, fields);
    return fields.join(',');
  }

  #addRareFields({ thought, refusal, citation, image }: ChatDelta, fields: string[]): void {
    if (thought) fields.push(`"reasoning_details":[${JSON.stringify(this.#detailOf(thought))}]`);
    if (refusal !== undefined) fields.push(`"refusal":${JSON.stringify(refusal)}`);
    if (citation) fields.push(`"annotations":[${JSON.stringify(annotationOf(citation))}]`);
    if (image) fields.push(`"images":[${JSON.stringify(imageOf(image))}]`);
  }

  /** A signature is useless without its text. */
  #detailOf(seal: ReasoningBlock): JsonObject {
    if (seal.sealed !== undefined) return reasoningDetail(seal, this.#thoughts++);
    const text = this.#thinking;
    this.#thinking = '';
    return reasoningDetail({ ...seal, text }, this.#thoughts++);
  }
}

/** Usage in OpenAI's format; undefined for implausible counts, which are not charged. */
export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return undefined;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const isCached = cachedTokens !== undefined || cacheWriteTokens !== undefined;
  // Undefined fields are omitted from the JSON.
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: isCached ? { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens } : undefined,
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

/** Converts a whole response to events: content, finish reason, and usage if requested. */
export function splitIntoEvents(reply: JsonObject, wantsUsage: boolean): string {
  const { choices, usage, object, ...envelope } = reply;
  const head = { ...envelope, object: object === 'chat.completion' ? 'chat.completion.chunk' : object };
  const given = (Array.isArray(choices) ? choices : []).map(fieldsOf);
  const events = [
    { ...head, choices: given.map(contentChoice) },
    { ...head, choices: given.map(endOf) },
    ...(wantsUsage && usage ? [{ ...head, choices: [], usage }] : []),
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${endEvent}`;
}

function contentChoice({ message, ...rest }: JsonObject, position: number): JsonObject {
  const deltaField = message === undefined ? {} : { delta: numbered(fieldsOf(message)) };
  return { index: position, ...rest, ...deltaField, finish_reason: null };
}

const endOf = ({ index, message, finish_reason }: JsonObject, position: number): JsonObject => ({
  index: index ?? position,
  ...(message === undefined ? { text: '' } : { delta: {} }),
  finish_reason,
});

/** Adds an index to each call, as required in a stream. */
function numbered(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call, index) => ({ index, ...fieldsOf(call) })) };
}

const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

type Fields = Record<string, unknown>;

/** Merges the events of a stream into a whole response. */
export class ChunkMerger implements EventMerger {
  readonly #choices = new Map<number, Fields>();
  #envelope: Fields = {};
  #isComplete = false;

  add(event: JsonObject): void {
    const { choices, object, ...envelope } = event;
    this.#envelope = { ...this.#envelope, object: String(object).replace('.chunk', ''), ...withoutEmpty(envelope) };
    if (Array.isArray(choices)) for (const [position, choice] of choices.entries()) this.#addChoice(choice, position);
  }

  end(): void {
    this.#isComplete = true;
  }

  whole(): JsonObject | undefined {
    const choices = [...this.#choices.values()].sort((one, other) => Number(one['index']) - Number(other['index']));
    const isEnded = this.#isComplete || choices.some(({ finish_reason }) => finish_reason != null);
    return choices.length === 0 || !isEnded ? undefined : { ...this.#envelope, choices };
  }

  #addChoice(given: unknown, position: number): void {
    const { delta, index, ...rest } = fieldsIn(given) ?? {};
    const key = typeof index === 'number' ? index : position;
    const choice = this.#choices.get(key) ?? { index: key };
    this.#choices.set(key, choice);
    const message = fieldsIn(delta);
    merge(choice, message ? { ...rest, message } : rest);
  }
}

/** An empty field in a later event does not overwrite an earlier value. */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Fields that arrive complete, not in fragments. */
const names: ReadonlySet<string> = new Set(['role', 'type', 'id', 'name', 'finish_reason', 'format', 'index']);

function merge(whole: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (name === '__proto__' || value === undefined) continue;
    whole[name] = name === 'tool_calls' ? callsWith(whole[name], value) : merged(name, whole[name], value);
  }
}

function merged(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return value;
  if (value === null) return before;
  if (typeof before === 'string' && typeof value === 'string' && !names.has(name)) return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  const [fields, more] = [fieldsIn(before), fieldsIn(value)];
  if (!fields || !more) return names.has(name) && value === '' ? before : value;
  const whole = { ...fields };
  merge(whole, more);
  return whole;
}

/** Merges fragments of calls by index; a whole response has no index. */
function callsWith(before: unknown, value: unknown): unknown {
  const calls: Fields[] = Array.isArray(before) ? before : [];
  for (const given of Array.isArray(value) ? value : []) {
    const { index, ...piece } = fieldsIn(given) ?? {};
    const position = typeof index === 'number' && index < calls.length ? index : calls.length;
    const call = calls[position] ?? {};
    calls[position] = call;
    merge(call, piece);
  }
  return calls;
}

const fieldsIn = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined);
