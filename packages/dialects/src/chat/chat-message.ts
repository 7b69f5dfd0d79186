import type { InlineData } from '../data-url.ts';
import type { JsonObject } from '../json-fields.ts';
import type { ToolCall } from './chat-response.ts';
import type { ReasoningBlock } from './reasoning-block.ts';

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

/** Cache marker in Anthropic's format, because OpenAI has none: the prompt up to this point should be cached. */
export interface CacheControlled {
  readonly cacheControl?: JsonObject;
}

export interface TextPart extends CacheControlled {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart extends CacheControlled {
  readonly type: 'image';
  readonly image: InlineData | { readonly url: string };
}

interface AudioPart extends CacheControlled {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly format: string;
}

export interface FilePart extends CacheControlled {
  readonly type: 'file';
  readonly name: string;
  /** `data:` URL or base64 of a PDF. */
  readonly data: string;
}

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** An instruction to the model, from the roles `system` and `developer`. */
export interface SystemMessage extends TextContent {
  readonly role: 'system';
}

export interface UserMessage extends CacheControlled {
  readonly role: 'user';
  readonly parts: readonly ContentPart[];
}

export interface AssistantMessage extends TextContent {
  readonly role: 'assistant';
  /** Reasoning before the content, if the client sends it back. */
  readonly thoughts: readonly ReasoningBlock[];
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolMessage extends CacheControlled {
  readonly role: 'tool';
  readonly toolCallId: string;
  /** All text parts joined. */
  readonly text: string;
  readonly parts: readonly ContentPart[];
  /** True if the tool failed and the content is its error. */
  readonly isError?: boolean;
}

/** A text-only message; a cache marker on the message applies to its end. */
interface TextContent extends CacheControlled {
  /** All parts joined. */
  readonly text: string;
  readonly parts: readonly TextPart[];
}

/** All text parts joined. */
export const joinTextParts = (parts: readonly ContentPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
