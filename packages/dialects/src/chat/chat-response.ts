import type { InlineData } from '../data-url.ts';
import type { ReasoningBlock } from './reasoning-block.ts';

/** Usage as reported by an upstream, not validated: any field may have any value or be absent. */
export interface UnverifiedUsage {
  readonly promptTokens?: unknown;
  readonly completionTokens?: unknown;
  /** Sum of both; some upstreams report only the sum and the prompt. */
  readonly totalTokens?: unknown;
  /** Prompt tokens read from a cache, written to one, and written for an hour. */
  readonly cachedTokens?: unknown;
  readonly cacheWriteTokens?: unknown;
  readonly cacheLongWriteTokens?: unknown;
  /** Completion tokens used for reasoning. */
  readonly reasoningTokens?: unknown;
  /** Audio and image tokens: of the prompt including cached ones, of cached tokens, and of the completion. */
  readonly audioTokens?: unknown;
  readonly imageTokens?: unknown;
  readonly cachedAudioTokens?: unknown;
  readonly cachedImageTokens?: unknown;
  readonly audioCompletionTokens?: unknown;
  readonly imageCompletionTokens?: unknown;
  /** Service tier that served the request. */
  readonly serviceTier?: unknown;
}

/** Names of the usage parts in logs. */
export const usagePartNames = {
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  cached: 'cached_tokens',
  written: 'cache_write_tokens',
  writtenLong: 'cache_long_write_tokens',
  reasoning: 'reasoning_tokens',
  audio: 'audio_tokens',
  image: 'image_tokens',
  cachedAudio: 'cached_audio_tokens',
  cachedImage: 'cached_image_tokens',
  audioCompletion: 'audio_completion_tokens',
  imageCompletion: 'image_completion_tokens',
} as const;

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Usage of a request. An absent count is unreported or zero. */
export interface Usage {
  /** All prompt tokens, including cache reads and writes. */
  readonly promptTokens: number;
  /** All completion tokens, including reasoning. */
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Written tokens that are cached for an hour, at a higher price. */
  readonly cacheLongWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** Audio and image tokens: of the prompt including cached ones, of cached tokens, and of the completion. */
  readonly audioTokens?: number;
  readonly imageTokens?: number;
  readonly cachedAudioTokens?: number;
  readonly cachedImageTokens?: number;
  readonly audioCompletionTokens?: number;
  readonly imageCompletionTokens?: number;
  /** Service tier that served the request; absent: not reported. */
  readonly serviceTier?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  /** Gemini's signature of the reasoning that led to the call; must be sent back with the call. */
  readonly thoughtSignature?: string;
}

/** A source of the response. */
export interface Citation {
  readonly url: string;
  readonly title?: string;
  /** Text of the source, or the text that cites it. */
  readonly text?: string;
}

/** A whole response without its envelope: the relay sets id, time and model. */
export interface ChatResponse {
  readonly choices: readonly ChatChoice[];
  /** Undefined when the upstream reports none. */
  readonly usage: Usage | undefined;
}

export interface ChatChoice {
  readonly content: string;
  /** Reasoning text. */
  readonly reasoning?: string;
  /** Reasoning blocks whose signatures must be sent back to their vendor; absent when there are none. */
  readonly thoughts?: readonly ReasoningBlock[];
  /** A refusal instead of content. */
  readonly refusal?: string;
  readonly citations?: readonly Citation[];
  readonly images?: readonly InlineData[];
  readonly toolCalls?: readonly ToolCall[];
  /** Base64, in the upstream's audio format. */
  readonly audio?: string;
  readonly finishReason: FinishReason;
  /** Stop sequence that ended the response; absent when none did or it is not reported. */
  readonly stopSequence?: string;
}

/** A delta of a response. The relay writes the envelope and the role. */
export interface ChatDelta {
  /** Index of the choice; absent: the first. */
  readonly choice?: number;
  readonly content?: string;
  readonly reasoning?: string;
  /**
   * Signature of the preceding reasoning text, which it ends, or a reasoning block without text. Its `text` is always
   * empty.
   */
  readonly thought?: ReasoningBlock;
  readonly refusal?: string;
  readonly citation?: Citation;
  readonly image?: InlineData;
  readonly toolCall?: ToolCallDelta;
  /** A self-contained chunk of audio in base64. */
  readonly audio?: string;
  /**
   * True if the message restarts and earlier deltas must be discarded. If some were already delivered, the stream ends
   * with an error instead.
   */
  readonly restarts?: true;
  /** Sent once per choice, with or after its last delta. */
  readonly finishReason?: FinishReason;
  /** Sent with the finish reason. */
  readonly stopSequence?: string;
}

export interface ToolCallDelta {
  /** Index of the call within the choice. */
  readonly index: number;
  /** Only in the first delta of a call. */
  readonly id?: string;
  readonly name?: string;
  /** JSON fragment to append. */
  readonly arguments: string;
  readonly thoughtSignature?: string;
}
