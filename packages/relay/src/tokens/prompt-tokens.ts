import type { JsonObject, PromptFields, RepeatedText } from '@headgate/dialects';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimateAttachment, estimatePrompt } from './estimate-tokens.ts';
import type { TokenSum } from './token-sum.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Longer prompts are estimated by length. */
const maxCharacters = 1_000_000;

/**
 * Counts tokens of prompts that are not charged. Counts run one at a time, so that paid requests find room in the
 * queue.
 */
export class FreePromptCounter {
  readonly #tokenizer: Tokenizer;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Counts a prompt with the tokenizer, or estimates it by length if counting would take too long. */
  async count(request: RelayRequest): Promise<number> {
    const prompt = promptTexts(request);
    const characters = prompt.texts.reduce((sum, text) => sum + text.length, 0);
    if (characters > maxCharacters) return estimatePrompt(request);
    const counting = this.#last.then(() => countPromptTokens(prompt, () => this.#tokenizer.sumFor(request.model)));
    this.#last = counting.catch(() => undefined);
    return (await counting) ?? estimatePrompt(request);
  }
}

/** Prompt tokens by the tokenizer; undefined if it cannot count them in time. */
export async function countPromptTokens({ texts, tokens, again }: PromptTexts, openSum: () => TokenSum) {
  const [counted, question] = await Promise.all([totalOf(texts, openSum), again ? totalOf([again.text], openSum) : 0]);
  if (counted === undefined || question === undefined) return undefined;
  return counted + tokens + question * (again?.times ?? 0);
}

function totalOf(texts: readonly string[], openSum: () => TokenSum): Promise<number | undefined> {
  const sum = openSum();
  sum.add(texts);
  return sum.total();
}

/** A prompt ready to be counted: its texts, and the tokens of non-text content. */
interface PromptTexts {
  readonly texts: readonly string[];
  readonly tokens: number;
  /** Content that the model reads again with each item; absent: none. */
  readonly again?: RepeatedText | undefined;
}

/** Template tokens per message, per message name, and before the response. */
const perMessage = 3;
const perName = 1;
const tokensBeforeResponse = 3;

export function promptTexts({ body, kind }: RelayRequest): PromptTexts {
  const { prompt } = kind.dialect;
  const reading = new Reading(prompt, kind.readAgain?.(body));
  const input = body[kind.input];
  if (isConversation(kind) && Array.isArray(input)) {
    reading.tokens += tokensBeforeResponse;
    for (const message of input) reading.message(message);
  } else reading.part(input);
  for (const name of prompt.otherFields) {
    if (body[name] !== undefined && body[name] !== null) reading.texts.push(JSON.stringify(body[name]));
  }
  return reading;
}

class Reading implements PromptTexts {
  readonly texts: string[] = [];
  tokens = 0;
  readonly #prompt: PromptFields;
  readonly again: RepeatedText | undefined;

  constructor(prompt: PromptFields, again: RepeatedText | undefined) {
    this.#prompt = prompt;
    this.again = again;
  }

  message(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const fields = message as JsonObject;
    const name = fields[this.#prompt.name];
    this.tokens += perMessage + (typeof name === 'string' ? perName : 0);
    this.#text(fields[this.#prompt.role]);
    this.#text(name);
    this.#fields(fields);
  }

  /** Adds a text, a token id, a part of a message, or a list of these. */
  part(part: unknown): void {
    if (typeof part === 'number') this.tokens += 1;
    else if (Array.isArray(part)) for (const item of part) this.part(item);
    else if (typeof part === 'object' && part !== null) this.#fields(part as JsonObject);
    else this.#text(part);
  }

  /** Adds a text unchanged, or any other value as JSON. */
  #addValue(value: unknown): void {
    if (value === undefined || value === null) return;
    const calls = this.#prompt.toolCallTexts?.(value);
    if (calls) for (const text of calls) this.texts.push(text);
    else this.texts.push(typeof value === 'string' ? value : JSON.stringify(value));
  }

  #fields(fields: JsonObject): void {
    const attachment = this.#prompt.toAttachment(fields);
    if (attachment) {
      this.tokens += estimateAttachment(attachment);
      return;
    }
    this.part(fields[this.#prompt.text]);
    for (const name of this.#prompt.textFields) this.#addValue(fields[name]);
    for (const name of this.#prompt.nested) this.part(fields[name]);
  }

  #text(text: unknown): void {
    if (typeof text === 'string') this.texts.push(text);
  }
}
