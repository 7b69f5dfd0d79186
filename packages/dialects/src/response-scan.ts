import type { Usage } from './chat/chat-response.ts';
import type { UsageClaim } from './chat/usage-claim.ts';
import type { FieldSearch } from './field-search.ts';
import type { JsonObject } from './json-fields.ts';

/**
 * Wire format of a dialect's responses, for a relay that passes bytes through: most events are only searched for a
 * few field names and never parsed.
 */
export interface ResponseScan {
  readonly fields: ScannedFields;
  /** Marker of a first event without content. */
  readonly emptyStart: string;
  /** Data of the last event, which is not JSON. */
  readonly endMarker: string;
  /** The complete last event. */
  readonly endEvent: string;
  /** Patterns of lines that carry an image or audio. */
  readonly media: { readonly pictures: RegExp; readonly sound: RegExp };
  /** Usage of an event in the upstream's format; undefined without usage. */
  usageIn(event: JsonObject): JsonObject | undefined;
  /** Usage figures, not validated; undefined when the usage is not an object. */
  readUsage(usage: unknown): UsageClaim | undefined;
  /** Whether a parsed event has no content and at most reports usage. */
  isEmptyEvent(event: unknown): boolean;
  /** Whether a whole response has the structure of a chat response, whatever its content. */
  isAnswer(reply: JsonObject): boolean;
  /** An error among the choices of a whole response; undefined without an error. */
  errorAmong(reply: JsonObject): unknown;
  /** Reports all content of a whole response to the listener. Throws when the response is nested too deeply. */
  reportResponse(reply: unknown, listener: ContentListener): void;
  /** Reports the content of an event. The event is delivered in any case, so all strings of an unknown format count. */
  reportEvent(event: unknown, listener: ContentListener): void;
  /** Converts a whole response to events: content, finish reason, and usage if requested. */
  splitIntoEvents(reply: JsonObject, wantsUsage: boolean): string;
  /** A whole response with usage counted by the gateway. */
  withUsage(reply: JsonObject, usage: Usage): JsonObject;
  /** Stream event with usage counted by the gateway. */
  usageEvent(usage: Usage, head: EventHead): string;
  /** Merges events into a whole response. */
  openMerger(): EventMerger;
  /** Contents of a transcript, whole or in events; undefined for plain text. */
  readTranscript(text: string): TranscriptReport | undefined;
}

/** Fields that all events of a response share. */
export interface EventHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Event fields to search for. */
export interface ScannedFields {
  /** List that contains all content. */
  readonly content: FieldSearch;
  /** Finish reason; null until the end. */
  readonly finish: FieldSearch;
  readonly usage: FieldSearch;
  readonly error: FieldSearch;
}

/**
 * Receives the content of a response piece by piece. A thread is one of several parallel texts: a choice, its
 * reasoning, a tool call.
 */
export interface ContentListener {
  text(thread: string, text: string): void;
  /** Audio as base64. */
  audio(characters: number): void;
  images(count: number): void;
  /** Encrypted reasoning. */
  encrypted(characters: number): void;
  /** Signature of reasoning. It contains the reasoning, whether or not its text is visible. */
  signature(characters: number): void;
  /** True when there was no content so far. */
  readonly isEmpty: boolean;
}

export interface EventMerger {
  add(event: JsonObject): void;
  /** Called when the stream signals its end. */
  end(): void;
  /** Undefined when the events are not a complete response. */
  whole(): JsonObject | undefined;
}

/** Transcript as reported by the upstream, not validated. */
export interface TranscriptReport {
  readonly text: string;
  /** Seconds of audio. */
  readonly seconds: unknown;
  readonly usage: UsageClaim;
}
