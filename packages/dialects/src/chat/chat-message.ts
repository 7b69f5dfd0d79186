import type { ToolCall } from './chat-answer.ts';
import type { CacheMarked, ContentPart, TextPart } from './content-part.ts';
import type { Thought } from './thought.ts';

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A message that instructs the model, from the roles `system` and `developer` alike. */
export interface SystemMessage extends TextContent {
  readonly role: 'system';
}

export interface UserMessage extends CacheMarked {
  readonly role: 'user';
  readonly parts: readonly ContentPart[];
}

export interface AssistantMessage extends TextContent {
  readonly role: 'assistant';
  /** What it thought before it spoke, as far as the client gives it back. */
  readonly thoughts: readonly Thought[];
  readonly toolCalls: readonly ToolCall[];
}

/** The result of a tool call. */
export interface ToolMessage extends CacheMarked {
  readonly role: 'tool';
  readonly toolCallId: string;
  /** All texts among the parts put together. */
  readonly text: string;
  readonly parts: readonly ContentPart[];
  /** The tool failed, and this is what it said. */
  readonly isError?: boolean;
}

/** A message that may only hold text; a mark on the message itself is about its end. */
interface TextContent extends CacheMarked {
  /** All parts put together. */
  readonly text: string;
  readonly parts: readonly TextPart[];
}

/** All texts among the parts put together. */
export const textOfParts = (parts: readonly ContentPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
