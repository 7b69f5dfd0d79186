import { CallIds } from '../call-ids.ts';
import { type ChatMessage, type SystemMessage, type ToolMessage, textOfParts } from '../chat/chat-message.ts';
import type { ContentPart, TextPart } from '../chat/content-part.ts';
import { JsonBoundsCounter, requestBounds } from '../json-bounds.ts';
import { isObject, type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';
import { ModelTurn } from './model-turn.ts';
import { readFileData, readInlineData } from './read-media.ts';
import { type Part, readParts } from './read-part.ts';

/** Reads the system prompt, which is a separate field in Gemini's format and the first message in others. */
export function readSystem(value: unknown): readonly SystemMessage[] {
  if (value === undefined) return [];
  const at = 'systemInstruction';
  const parts = readParts(objectOf(value, at), at).map((part): TextPart => {
    if (part.kind !== 'text') throw new RequestProblem(part.at, `${part.at} may only contain text`);
    return { type: 'text', text: requiredText(part.value, `${part.at}.text`) };
  });
  return [{ role: 'system', text: textOfParts(parts), parts }];
}

export function readContents(value: unknown): readonly ChatMessage[] {
  const conversation = new Conversation();
  const contents = isObject(value) ? [value] : listOf(value, 'contents');
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
    const content = objectOf(value, at);
    const parts = readParts(content, at);
    if (!isModel(content, at)) {
      this.#endTurn();
      for (const message of readUser(parts, this.#callIds)) this.#messages.push(message);
      return;
    }
    // Stream chunks that a client stored separately are one turn.
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
  const result = objectOf(value, at);
  const name = requiredText(result['name'], `${at}.name`);
  const toolCallId = callIds.answer(optionalText(result['id'], `${at}.id`) || undefined, name);
  if (toolCallId === undefined)
    throw new RequestProblem(`${at}.name`, `${at}.name must match an earlier function call`);
  const { text, isError } = resultText(
    result['response'] == null ? {} : objectOf(result['response'], `${at}.response`),
  );
  const shown = oneOrMore(result['parts'], `${at}.parts`).map((part, index) =>
    readShown(part, `${at}.parts[${index}]`),
  );
  const parts: ContentPart[] = text === '' ? shown : [{ type: 'text', text }, ...shown];
  return { role: 'tool', toolCallId, text, parts, ...(isError && { isError }) };
}

/** Media in a tool result. */
function readShown(value: unknown, at: string): ContentPart {
  const part = objectOf(value, at);
  const file = fieldOf(part, 'fileData', at);
  if (file !== undefined) return readFileData(file, `${at}.fileData`);
  return readInlineData(fieldOf(part, 'inlineData', at), `${at}.inlineData`);
}

/**
 * By Google's convention the output is under `output` and an error under `error`; anything else is the output itself.
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
