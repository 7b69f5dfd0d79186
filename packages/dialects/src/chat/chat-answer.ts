import type { InlineData } from '../data-url.ts';
import type { Thought } from './thought.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** What a request used. An absent count is not told, or is zero. */
export interface Usage {
  /** All of the prompt, with what was read from a cache and what was written into one. */
  readonly promptTokens: number;
  /** All of the answer, with its thoughts. */
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Those among the written that are kept for an hour, and cost more. */
  readonly cacheLongWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** Audio, among the prompt and among the answer; images among the answer. */
  readonly audioTokens?: number;
  readonly audioCompletionTokens?: number;
  readonly imageCompletionTokens?: number;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as text. */
  readonly arguments: string;
  /** Gemini's seal on the thoughts that led to the call, which it wants back with it. */
  readonly thoughtSignature?: string;
}

/** A place the answer is taken from. */
export interface Citation {
  readonly url: string;
  readonly title?: string;
  /** The words there, or those here that rest on them. */
  readonly text?: string;
}

/** A whole answer without its envelope: id, time and model are the relay's. */
export interface ChatAnswer {
  readonly choices: readonly ChatChoice[];
  /** Undefined when the upstream does not say. */
  readonly usage: Usage | undefined;
}

export interface ChatChoice {
  readonly content: string;
  /** The words of its thoughts. */
  readonly reasoning?: string;
  /** Its thoughts with the seals their maker wants back; absent when there are none. */
  readonly thoughts?: readonly Thought[];
  /** A refusal that is said in place of an answer. */
  readonly refusal?: string;
  readonly citations?: readonly Citation[];
  readonly images?: readonly InlineData[];
  readonly toolCalls?: readonly ToolCall[];
  /** Base64, in the format that the upstream speaks. */
  readonly audio?: string;
  readonly finishReason: FinishReason;
  /** The stop sequence that ended it; absent when none did or nobody says. */
  readonly stopSequence?: string;
}

/** A piece of an answer. The relay writes the envelope and the role. */
export interface ChatDelta {
  /** Number of the choice; absent: the first. */
  readonly choice?: number;
  readonly content?: string;
  readonly reasoning?: string;
  /** Ends the thought whose words came before with its seal, or is one that has no words. Its own text is empty. */
  readonly thought?: Thought;
  readonly refusal?: string;
  readonly citation?: Citation;
  readonly image?: InlineData;
  readonly toolCall?: ToolCallDelta;
  /** A piece of sound in base64, whole by itself. */
  readonly audio?: string;
  /** The message restarts: earlier deltas are void. A stream that has delivered some of them ends with an error instead. */
  readonly startsAnew?: true;
  /** Once in a choice, with or after its last piece. */
  readonly finishReason?: FinishReason;
  /** With the finish reason. */
  readonly stopSequence?: string;
}

export interface ToolCallDelta {
  /** Which of the choice's calls. */
  readonly index: number;
  /** With the first piece of a call. */
  readonly id?: string;
  readonly name?: string;
  /** A piece of JSON, to be put behind the ones before. */
  readonly arguments: string;
  readonly thoughtSignature?: string;
}
