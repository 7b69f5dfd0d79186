import { tokensPerPicture } from '../count-tokens.ts';
import type { RelayRequest } from '../read-request.ts';

/** A prompt, ready to be counted: its texts, and what counts without being text. */
export interface PromptTexts {
  readonly texts: readonly string[];
  readonly tokens: number;
}

/** Around each message, for a name in it, and before the answer. */
const perMessage = 3;
const perName = 1;
const beforeAnswer = 3;

export function promptTexts({ body, kind }: RelayRequest): PromptTexts {
  const reading = new Reading();
  const input = body[kind.input];
  if (kind.input === 'messages' && Array.isArray(input)) {
    reading.tokens += beforeAnswer;
    for (const message of input) reading.message(message);
  } else reading.part(input);
  for (const name of ['tools', 'functions', 'response_format']) {
    if (body[name] !== undefined && body[name] !== null) reading.texts.push(JSON.stringify(body[name]));
  }
  return reading;
}

class Reading {
  readonly texts: string[] = [];
  tokens = 0;

  message(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { role, name, content, tool_calls } = message as Record<string, unknown>;
    this.tokens += perMessage + (typeof name === 'string' ? perName : 0);
    this.#text(role);
    this.#text(name);
    this.part(content);
    if (!Array.isArray(tool_calls)) return;
    for (const call of tool_calls) {
      const { name: called, arguments: given } = (call?.function ?? {}) as Record<string, unknown>;
      this.#text(called);
      this.#text(given);
    }
  }

  /** A text, a token by its number, a part of a message, or several of those. */
  part(part: unknown): void {
    if (typeof part === 'number') this.tokens += 1;
    else if (Array.isArray(part)) for (const item of part) this.part(item);
    else if (typeof part === 'object' && part !== null) {
      const { text, type } = part as { text?: unknown; type?: unknown };
      if (type === 'image_url' || type === 'input_audio') this.tokens += tokensPerPicture;
      else this.part(text);
    } else this.#text(part);
  }

  #text(text: unknown): void {
    if (typeof text === 'string') this.texts.push(text);
  }
}
