import type { Attachment, JsonObject, PromptFields } from '@headgate/dialects';
import type { RelayRequest } from '../request/read-request.ts';

/** What of a request is not text: how many of its bytes that is, and how many tokens it may count. */
export interface Attachments {
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens that there may be beside, in pages that nobody has counted. */
  readonly unseen: number;
  /** Of the tokens, those of what is only pointed at. */
  readonly pointedAt: number;
}

/** The dearest picture of the models named so; of any other the dearest that providers charge for. */
const pictureTokens: readonly [name: RegExp, tokens: number][] = [
  [/gpt-4o-mini/, 48_169],
  [/qwen|qvq/i, 16_384],
];
const dearestPicture = 5000;

/** Of sound in base64: no provider counts more than 32 tokens a second, for which no WAV or MP3 has less than 1,000 bytes. */
const soundBytesPerToken = 16;

/** Of what is only pointed at, such as a film or an uploaded file. */
const pointedAtTokens = 131_072;

/** A page costs a picture, however few bytes it has; no provider takes more pages than fill a model. */
const mostInPages = 1_000_000;

const noAttachments: Attachments = { bytes: 0, tokens: 0, unseen: 0, pointedAt: 0 };

/** A walk over all of the prompt: to be done once for a request, not by everybody who asks. */
export const attachmentsOf = ({ body, kind, model }: RelayRequest): Attachments =>
  attachmentsIn(body[kind.input], model, kind.dialect.prompt);

/** Looks at the parts of messages, or of an input. What it does not know is text, and counts by its bytes. */
export function attachmentsIn(input: unknown, model: string, prompt: PromptFields): Attachments {
  if (!isFields(input)) return noAttachments;
  const search = new AttachmentSearch(model, prompt);
  // Google takes one where a list is meant.
  for (const item of Array.isArray(input) ? (input as readonly unknown[]) : [input]) {
    search.look(item, 0);
    // An earlier answer in sound is pointed at by its number.
    if (isFields(item) && isFields(item['audio'])) search.point();
  }
  return search;
}

class AttachmentSearch implements Attachments {
  readonly #model: string;
  readonly #prompt: PromptFields;
  bytes = 0;
  tokens = 0;
  unseen = 0;
  pointedAt = 0;

  constructor(model: string, prompt: PromptFields) {
    this.#model = model;
    this.#prompt = prompt;
  }

  look(item: unknown, depth: number): void {
    if (!isFields(item) || depth > deepest) return;
    if (Array.isArray(item)) {
      for (const part of item) this.look(part, depth);
      return;
    }
    const attachment = this.#prompt.attachmentOf(item);
    if (attachment?.kind === 'pages') this.unseen = mostInPages;
    else if (attachment?.kind === 'elsewhere') this.point();
    else if (attachment) this.#add(weigh(attachment, this.#model));
    else for (const name of this.#prompt.nested) this.look(item[name], depth + 1);
  }

  point(): void {
    this.tokens += pointedAtTokens;
    this.pointedAt += pointedAtTokens;
  }

  #add({ bytes, tokens }: Pick<Attachments, 'bytes' | 'tokens'>): void {
    this.bytes += bytes;
    this.tokens += tokens;
  }
}

/** A result of a tool holds parts, in a message that does. */
const deepest = 4;

type Weighed = Exclude<Attachment, { readonly kind: 'pages' | 'elsewhere' }>;

function weigh(attachment: Weighed, model: string): Pick<Attachments, 'bytes' | 'tokens'> {
  const bytes = attachment.characters;
  if (attachment.kind === 'sound') return { bytes, tokens: Math.ceil(bytes / soundBytesPerToken) };
  return { bytes, tokens: pictureTokens.find(([name]) => name.test(model))?.[1] ?? dearestPicture };
}

const isFields = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
