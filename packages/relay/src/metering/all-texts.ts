import { type JsonObject, type PromptFields, unreadFields, unreadMessageFields } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { attachmentsIn } from './attachments.ts';

/** Longest prompt whose tokens are counted in order to reserve less. */
const maxCharacters = 1_000_000;

export interface AllTexts {
  readonly texts: readonly string[];
  /** Tokens given as token ids. */
  readonly tokens: number;
}

/** Returns every text of a request that may reach a model, in any field; undefined when there is too much to count. */
export function allTexts(request: RelayRequest, channels: readonly RelayChannel[]): AllTexts | undefined {
  const { body, kind, model, bytes } = request;
  const input = body[kind.input];
  const { prompt } = kind.dialect;
  const attached = attachmentsIn(input, [model], prompt);
  if (bytes.length - attached.bytes > maxCharacters) return undefined;
  const gathering = new Gathering(prompt);
  for (const [name, value] of Object.entries(body)) {
    if (name === kind.input) gathering.add(value);
    else if (!unreadFields.has(name) && typeof value !== 'number') gathering.texts.push(textOf(value));
  }
  const systems = channels.map(({ systemPrompt }) => systemPrompt);
  gathering.texts.push(systems.reduce((longest, next) => (next.length > longest.length ? next : longest), ''));
  return gathering;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

class Gathering {
  readonly texts: string[] = [];
  tokens = 0;
  readonly #prompt: PromptFields;

  constructor(prompt: PromptFields) {
    this.#prompt = prompt;
  }

  add(value: unknown): void {
    if (typeof value === 'string') this.texts.push(value);
    else if (typeof value === 'number') this.tokens += 1 + Math.ceil(String(value).length / 3);
    else if (Array.isArray(value)) for (const item of value) this.add(item);
    else if (typeof value === 'object' && value !== null) this.#fields(value as JsonObject);
  }

  #fields(fields: JsonObject): void {
    // Content that counts as an image or audio is not counted as text; text next to it is.
    const attachment = this.#prompt.attachmentOf(fields);
    if (attachment && 'characters' in attachment && attachment.characters > 0) return;
    for (const [name, value] of Object.entries(fields)) {
      if (!unreadMessageFields.has(name)) this.texts.push(name);
      this.add(value);
    }
  }
}
