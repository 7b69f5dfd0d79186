import type { InlineData } from '../data-url.ts';
import type { JsonObject } from '../json-fields.ts';

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

/** Cache mark in Anthropic's format, because OpenAI has none: the prompt up to here should be cached. */
export interface CacheMarked {
  readonly cacheControl?: JsonObject;
}

export interface TextPart extends CacheMarked {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart extends CacheMarked {
  readonly type: 'image';
  readonly image: InlineData | { readonly url: string };
}

interface AudioPart extends CacheMarked {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly format: string;
}

export interface FilePart extends CacheMarked {
  readonly type: 'file';
  readonly name: string;
  /** `data:` URL or base64 of a PDF. */
  readonly data: string;
}
