import { CallIds } from '../call-ids.ts';
import {
  type ChatMessage,
  type ContentPart,
  joinTextParts,
  type SystemMessage,
  type TextPart,
  type ToolMessage,
} from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { JsonBoundsCounter, requestBounds } from '../json-bounds.ts';
import { isObject, type JsonObject, optionalText, requiredText, requireList, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readField, toList } from './field-spelling.ts';
import { decodeForeignReasoning } from './reasoning-signature.ts';

/** Reads the system prompt, which is a separate field in Gemini's format and the first message in others. */
export function readSystem(value: unknown): readonly SystemMessage[] {
  if (value === undefined) return [];
  const at = 'systemInstruction';
  const parts = readParts(requireObject(value, at), at).map((part): TextPart => {
    if (part.kind !== 'text') throw new RequestProblem(part.at, `${part.at} may only contain text`);
    return { type: 'text', text: requiredText(part.value, `${part.at}.text`) };
  });
  return [{ role: 'system', text: joinTextParts(parts), parts }];
}

export function readContents(value: unknown): readonly ChatMessage[] {
  const conversation = new Conversation();
  const contents = isObject(value) ? [value] : requireList(value, 'contents');
  for (const [index, content] of contents.entries()) conversation.add(content, index);
  return conversation.end();
}

class Conversation {
  readonly #messages: ChatMessage[] = [];
  readonly #callIds = new CallIds();
  readonly #seals = new JsonBoundsCounter(requestBounds);
  #turn: ModelTurn | undefined;

  add(value: unknown, index: number): void {
    const at = `contents[${index}]`;
    const content = requireObject(value, at);
    const parts = readParts(content, at);
    if (!isModel(content, at)) {
      this.#endTurn();
      for (const message of readUser(parts, this.#callIds)) this.#messages.push(message);
      return;
    }
    // Chunks that a client stored as separate messages are one turn.
    if (!this.#turn) this.#callIds.beginStep();
    this.#turn ??= new ModelTurn(index, this.#callIds, this.#seals);
    for (const part of parts) this.#turn.add(part);
  }

  end(): readonly ChatMessage[] {
    this.#endTurn();
    return this.#messages;
  }

  #endTurn(): void {
    const message = this.#turn?.message();
    if (message) this.#messages.push(message);
    this.#turn = undefined;
  }
}

function isModel({ role }: JsonObject, at: string): boolean {
  if (role === 'model') return true;
  if (role == null || role === '' || role === 'user' || role === 'function') return false;
  throw new RequestProblem(`${at}.role`, `${at}.role must be user, model or function`);
}

/** Results come first, because all wire formats require them right after their calls. */
function readUser(parts: readonly Part[], callIds: CallIds): readonly ChatMessage[] {
  const isResult = ({ kind }: Part) => kind === 'functionResponse';
  const results = parts.filter(isResult).map((part) => readResult(part, callIds));
  const others = parts.filter((part) => !isResult(part)).map(readContent);
  return others.length === 0 && results.length > 0 ? results : [...results, { role: 'user', parts: others }];
}

function readContent({ kind, value, at }: Part): ContentPart {
  switch (kind) {
    case 'text':
      return { type: 'text', text: requiredText(value, `${at}.text`) };
    case 'inlineData':
      return readInlineData(value, `${at}.inlineData`);
    case 'fileData':
      return readFileData(value, `${at}.fileData`);
    default:
      throw new RequestProblem(`${at}.${kind}`, `${at}.${kind} is only allowed in a model turn`);
  }
}

function readResult({ value, at: partAt }: Part, callIds: CallIds): ToolMessage {
  const at = `${partAt}.functionResponse`;
  const result = requireObject(value, at);
  const name = requiredText(result['name'], `${at}.name`);
  const toolCallId = callIds.ofResult(optionalText(result['id'], `${at}.id`) || undefined, name);
  if (toolCallId === undefined)
    throw new RequestProblem(`${at}.name`, `${at}.name must match an earlier function call`);
  const { text, isError } = resultText(
    result['response'] == null ? {} : requireObject(result['response'], `${at}.response`),
  );
  const shown = toList(result['parts'], `${at}.parts`).map((part, index) => readShown(part, `${at}.parts[${index}]`));
  const parts: ContentPart[] = text === '' ? shown : [{ type: 'text', text }, ...shown];
  return { role: 'tool', toolCallId, text, parts, ...(isError && { isError }) };
}

/** Media in a tool result. */
function readShown(value: unknown, at: string): ContentPart {
  const part = requireObject(value, at);
  const file = readField(part, 'fileData', at);
  if (file !== undefined) return readFileData(file, `${at}.fileData`);
  return readInlineData(readField(part, 'inlineData', at), `${at}.inlineData`);
}

/**
 * By Google's convention, the output is under `output` and an error under `error`; anything else is the output itself.
 */
function resultText(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const [name = '', ...others] = Object.keys(response);
  if (name === '') return { text: '', isError: false };
  const value = response[name];
  const isError = name === 'error' && others.length === 0;
  const isSole = others.length === 0 && (isError || name === 'output' || name === 'result');
  if (isSole && typeof value === 'string') return { text: value, isError };
  return { text: JSON.stringify(isError ? value : response), isError };
}

/** Merges all parts of one model turn. */
class ModelTurn {
  readonly #index: number;
  readonly #callIds: CallIds;
  /** Limits the total JSON inside the thought signatures of the request. */
  readonly #seals: JsonBoundsCounter;
  readonly #thoughts: ReasoningBlock[] = [];
  readonly #toolCalls: ToolCall[] = [];
  #text = '';
  /** Reasoning text whose signature has not arrived. */
  #thinking = '';

  constructor(index: number, callIds: CallIds, seals: JsonBoundsCounter) {
    this.#index = index;
    this.#callIds = callIds;
    this.#seals = seals;
  }

  add(part: Part): void {
    const { kind, value, at, isThought, signature } = part;
    if (kind === 'functionCall') {
      this.#addCall(part);
      return;
    }
    if (kind !== 'text') throw new RequestProblem(`${at}.${kind}`, `${at}.${kind} in a model turn is not supported`);
    const text = requiredText(value, `${at}.text`);
    if (isThought) this.#thinking += text;
    else this.#text += text;
    if (signature !== '' && !this.#addForeign(signature)) {
      this.#thoughts.push({ text: this.#thinking, maker: 'google', signature });
      this.#thinking = '';
    }
  }

  /** Undefined when the turn has no content. */
  message(): ChatMessage | undefined {
    const thoughts = this.#thinking === '' ? this.#thoughts : [...this.#thoughts, { text: this.#thinking }];
    const text = this.#text;
    if (text === '' && thoughts.length === 0 && this.#toolCalls.length === 0) return undefined;
    const parts: readonly TextPart[] = text === '' ? [] : [{ type: 'text', text }];
    return { role: 'assistant', text, parts, thoughts, toolCalls: this.#toolCalls };
  }

  #addCall({ value, at: partAt, signature }: Part): void {
    const at = `${partAt}.functionCall`;
    const call = requireObject(value, at);
    const name = requiredText(call['name'], `${at}.name`);
    const id = optionalText(call['id'], `${at}.id`) || `call_${this.#index}_${this.#toolCalls.length}`;
    const isOwn = signature !== '' && !this.#addForeign(signature);
    const given = call['args'] == null ? {} : requireObject(call['args'], `${at}.args`);
    this.#callIds.add(id, name);
    const thoughtSignature = isOwn && { thoughtSignature: signature };
    this.#toolCalls.push({ id, name, arguments: JSON.stringify(given), ...thoughtSignature });
  }

  /**
   * True if the signature contains another vendor's reasoning. It includes the reasoning text, so the visible reasoning
   * text is dropped.
   */
  #addForeign(signature: string): boolean {
    const thoughts = decodeForeignReasoning(signature, this.#seals);
    if (!thoughts) return false;
    for (const thought of thoughts) this.#thoughts.push(thought);
    this.#thinking = '';
    return true;
  }
}

const kinds = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

type PartKind = (typeof kinds)[number];

/** A part of a turn, with its kind and value. */
interface Part {
  readonly kind: PartKind;
  readonly value: unknown;
  readonly isThought: boolean;
  /** Google's signature, or tagged reasoning of another vendor; empty when there is none. */
  readonly signature: string;
  readonly at: string;
}

export const readParts = (content: JsonObject, at: string): readonly Part[] =>
  toList(content['parts'], `${at}.parts`).map((part, index) => readPart(part, `${at}.parts[${index}]`));

function readPart(value: unknown, at: string): Part {
  const part = requireObject(value, at);
  const signature = readField(part, 'thoughtSignature', at);
  const isThought = part['thought'] === true;
  const attributes = { isThought, signature: typeof signature === 'string' ? signature : '', at };
  const found = kinds.flatMap((kind) => {
    const given = readField(part, kind, at);
    return given === undefined ? [] : [{ kind, value: given }];
  });
  const [only, another] = found;
  if (another)
    throw new RequestProblem(
      at,
      `${at} contains ${found.map(({ kind }) => kind).join(' and ')}. Send them as separate parts`,
    );
  if (only) return { ...only, ...attributes };
  // A part may contain only a signature.
  if (isThought || attributes.signature !== '') return { kind: 'text', value: '', ...attributes };
  throw new RequestProblem(at, `${at} is not a supported part type${namesIn(part)}`);
}

const namesIn = (part: JsonObject) => {
  const names = Object.keys(part).filter((name) => isObject(part[name]));
  return names.length === 0 ? '' : `: ${names.join(', ').slice(0, 100)}`;
};

const mediaType = /^[a-z]+\/[a-z0-9.+-]+(?:;[a-z0-9=;."+ -]*)?$/;

/** An image, audio or file embedded in the request. */
function readInlineData(value: unknown, at: string): ContentPart {
  const blob = requireObject(value, at);
  const type = requiredText(readField(blob, 'mimeType', at), `${at}.mimeType`).toLowerCase();
  if (!mediaType.test(type)) throw new RequestProblem(`${at}.mimeType`, `${at}.mimeType is not a media type`);
  const data = standardBase64(requiredText(blob['data'], `${at}.data`));
  const [kind = '', format = ''] = type.split('/');
  const [plainType = ''] = type.split(';');
  if (kind === 'image') return { type: 'image', image: { mediaType: plainType, data } };
  if (kind === 'audio') return { type: 'audio', data, format: usualFormats[format] ?? format };
  const name = optionalText(readField(blob, 'displayName', at), `${at}.displayName`) ?? '';
  return { type: 'file', name, data: `data:${plainType};base64,${data}` };
}

/** Converts to the standard base64 alphabet: Google accepts two alphabets, other providers one. */
const standardBase64 = (data: string) =>
  data.includes('-') || data.includes('_') ? data.replaceAll('-', '+').replaceAll('_', '/') : data;

const usualFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' };

/** An image by URL. Only Google can fetch other files by URI. */
function readFileData(value: unknown, at: string): ContentPart {
  const file = requireObject(value, at);
  const url = fileUri(file, at);
  const type = optionalText(readField(file, 'mimeType', at), `${at}.mimeType`) ?? '';
  if (/^https?:\/\//i.test(url) && type.toLowerCase().startsWith('image/')) return { type: 'image', image: { url } };
  throw new RequestProblem(`${at}.fileUri`, `${at}.fileUri must be the HTTP URL of an image, with its mimeType`);
}

export const fileUri = (file: JsonObject, at: string): string =>
  requiredText(readField(file, 'fileUri', at), `${at}.fileUri`);
