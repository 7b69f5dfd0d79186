import type { Attachment, JsonObject, PromptFields } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** Non-text content of a request: its size in bytes and its tokens. */
export interface Attachments {
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens of images and audio. */
  readonly measured: number;
  /** Tokens of audio. */
  readonly sounds: number;
  /** Tokens of images and audio for the model with the highest count. */
  readonly dearest: number;
  /** True if a model may read more tokens from the attachments, up to its context window. */
  readonly isUnbounded: boolean;
}

/** Maximum tokens per image for matching models. Other models use the highest count that any provider charges. */
const pictureTokens: readonly [name: RegExp, tokens: number][] = [
  [/gpt-4o-mini/, 48_169],
  [/qwen|qvq/i, 16_384],
  // At full detail.
  [/gpt-5\.[4-9]/, 10_000],
];
const maxImageTokens = 5000;
export const highestImageTokens = Math.max(...pictureTokens.map(([, tokens]) => tokens));

/**
 * Base64 bytes of audio per token: no provider counts more than 32 tokens a second, and a second of WAV or MP3 has at
 * least 1,000 bytes.
 */
const soundBytesPerToken = 16;

/**
 * Tokens assumed for all files of unknown length combined, which is enough for nearly all of them. A smaller balance is
 * rejected; more is reserved if the balance allows.
 */
const usualFilesTokens = 131_072;

const noAttachments: Attachments = { bytes: 0, tokens: 0, measured: 0, sounds: 0, dearest: 0, isUnbounded: false };

/** Walks the whole prompt, so it must run only once per request. */
export const requestAttachments = (
  { body, kind, model, knowsItems = false }: RelayRequest,
  channels: readonly Pick<RelayChannel, 'modelMapping'>[],
): Attachments => {
  const names = channels.map(({ modelMapping }) => modelMapping.get(model) || model);
  return readAttachments(body[kind.input], names.length > 0 ? names : [model], kind.dialect.prompt, knowsItems);
};

/** Reads the parts of messages or of an input. Unknown parts are treated as text and counted by bytes. */
export function readAttachments(
  input: unknown,
  models: readonly string[],
  prompt: PromptFields,
  knowsItems = false,
): Attachments {
  if (!isFields(input)) return noAttachments;
  const search = new AttachmentSearch(models, prompt, knowsItems);
  // Google accepts a single item instead of a list.
  for (const item of Array.isArray(input) ? (input as readonly unknown[]) : [input]) {
    search.look(item, 0);
    if (isFields(item) && prompt.referencesAudio?.(item)) search.addFile(usualFilesTokens);
  }
  return search;
}

class AttachmentSearch implements Attachments {
  readonly #models: readonly string[];
  readonly #prompt: PromptFields;
  readonly #knowsItems: boolean;
  #files = 0;
  bytes = 0;
  measured = 0;
  sounds = 0;
  dearest = 0;
  isUnbounded = false;

  constructor(models: readonly string[], prompt: PromptFields, knowsItems: boolean) {
    this.#models = models;
    this.#prompt = prompt;
    this.#knowsItems = knowsItems;
  }

  get tokens(): number {
    return this.measured + Math.min(this.#files, usualFilesTokens);
  }

  look(item: unknown, depth: number): void {
    if (!isFields(item) || depth > deepest) return;
    if (Array.isArray(item)) {
      for (const part of item) this.look(part, depth);
      return;
    }
    const attachment = this.#prompt.toAttachment(item);
    if (attachment) this.#add(attachment);
    else for (const name of this.#prompt.nested) this.look(item[name], depth + 1);
  }

  /** Adds a file of unknown length. */
  addFile(tokens: number): void {
    this.#files += tokens;
    this.isUnbounded = true;
  }

  #measure(tokens: number, maxTokens = tokens): void {
    this.measured += tokens;
    this.dearest += maxTokens;
  }

  #addSound(tokens: number): void {
    this.sounds += tokens;
    this.#measure(tokens);
  }

  #add(attachment: Attachment): void {
    if (attachment.kind === 'elsewhere' || attachment.kind === 'named') {
      // An item of a known response is counted with that response.
      if (attachment.kind === 'elsewhere' || !this.#knowsItems) this.addFile(usualFilesTokens);
      return;
    }
    const { kind, characters } = attachment;
    this.bytes += characters;
    if (kind === 'unmeasured') this.addFile(characters);
    else if (kind === 'sound') this.#addSound(Math.ceil(characters / soundBytesPerToken));
    else this.#measure(Math.max(...this.#models.map(maxImageTokensOf)), highestImageTokens);
  }
}

/** Maximum nesting of parts: a tool result inside a message contains parts. */
const deepest = 4;

const maxImageTokensOf = (model: string): number =>
  pictureTokens.find(([name]) => name.test(model))?.[1] ?? maxImageTokens;

const isFields = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
