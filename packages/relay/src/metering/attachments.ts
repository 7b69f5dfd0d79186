import type { Attachment, JsonObject, PromptFields } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** What of a request is not text: how many of its bytes that is, and how many tokens it may count. */
export interface Attachments {
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens of pictures and sounds among them. */
  readonly measured: number;
  /** Tokens of sounds among them. */
  readonly sounds: number;
  /** Tokens of the same to the model that counts them dearest. */
  readonly dearest: number;
  /** Whether a model may read more in it: as much as it can. */
  readonly isUnbounded: boolean;
}

/** The dearest picture of the models named so; of any other the dearest that providers charge for. */
const pictureTokens: readonly [name: RegExp, tokens: number][] = [
  [/gpt-4o-mini/, 48_169],
  [/qwen|qvq/i, 16_384],
  // In full detail.
  [/gpt-5\.[4-9]/, 10_000],
];
const dearestPicture = 5000;
export const dearestOfAll = Math.max(...pictureTokens.map(([, tokens]) => tokens));

/** Bytes of sound in base64 for each token: no provider counts more than 32 tokens a second, for which no WAV or MP3 has less than 1,000 bytes. */
const soundBytesPerToken = 16;

/**
 * Tokens of all files together whose length nobody knows: enough for nearly all of them. Who has less is not let in; what a model may
 * read beyond is held as far as it is there.
 */
const usualFilesTokens = 131_072;

const noAttachments: Attachments = { bytes: 0, tokens: 0, measured: 0, sounds: 0, dearest: 0, isUnbounded: false };

/** A walk over all of the prompt: to be done once for a request, not by everybody who asks. */
export const attachmentsOf = (
  { body, kind, model, knowsItems = false }: RelayRequest,
  channels: readonly Pick<RelayChannel, 'modelMapping'>[],
): Attachments => {
  const names = channels.map(({ modelMapping }) => modelMapping.get(model) || model);
  return attachmentsIn(body[kind.input], names.length > 0 ? names : [model], kind.dialect.prompt, knowsItems);
};

/** Looks at the parts of messages, or of an input. What it does not know is text, and counts by its bytes. */
export function attachmentsIn(
  input: unknown,
  models: readonly string[],
  prompt: PromptFields,
  knowsItems = false,
): Attachments {
  if (!isFields(input)) return noAttachments;
  const search = new AttachmentSearch(models, prompt, knowsItems);
  // Google takes one where a list is meant.
  for (const item of Array.isArray(input) ? (input as readonly unknown[]) : [input]) {
    search.look(item, 0);
    if (isFields(item) && prompt.pointsAtSound?.(item)) search.addFile(usualFilesTokens);
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
    const attachment = this.#prompt.attachmentOf(item);
    if (attachment) this.#add(attachment);
    else for (const name of this.#prompt.nested) this.look(item[name], depth + 1);
  }

  /** One whose length nobody knows. */
  addFile(tokens: number): void {
    this.#files += tokens;
    this.isUnbounded = true;
  }

  #measure(tokens: number, dearest = tokens): void {
    this.measured += tokens;
    this.dearest += dearest;
  }

  #addSound(tokens: number): void {
    this.sounds += tokens;
    this.#measure(tokens);
  }

  #add(attachment: Attachment): void {
    if (attachment.kind === 'elsewhere' || attachment.kind === 'named') {
      // An item that is known counts with the answer it is of.
      if (attachment.kind === 'elsewhere' || !this.#knowsItems) this.addFile(usualFilesTokens);
      return;
    }
    const { kind, characters } = attachment;
    this.bytes += characters;
    if (kind === 'unmeasured') this.addFile(characters);
    else if (kind === 'sound') this.#addSound(Math.ceil(characters / soundBytesPerToken));
    else this.#measure(Math.max(...this.#models.map(dearestPictureOf)), dearestOfAll);
  }
}

/** A result of a tool holds parts, in a message that does. */
const deepest = 4;

const dearestPictureOf = (model: string): number =>
  pictureTokens.find(([name]) => name.test(model))?.[1] ?? dearestPicture;

const isFields = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
