import type { UnverifiedUsage, Usage } from './chat/chat-response.ts';
import type { JsonObject } from './json-fields.ts';

/**
 * Wire format of a dialect's responses, for a relay that passes bytes through: most events are only searched for a few
 * field names, not parsed.
 */
export interface ResponseScan {
  readonly fields: ScannedFields;
  /** Marker of a first event without content. */
  readonly emptyStart: string;
  /** Data of the last event, which is not JSON. */
  readonly endMarker: string;
  /** The complete last event. */
  readonly endEvent: string;
  /** Patterns of lines with an image or audio. */
  readonly media: { readonly pictures: RegExp; readonly sound: RegExp };
  /** Usage of an event in the upstream's format; undefined without usage. */
  usageIn(event: JsonObject): JsonObject | undefined;
  /** Token counts, not validated; undefined if the usage is not an object. */
  readUsage(usage: unknown): UnverifiedUsage | undefined;
  /** True if a parsed event has no content and at most reports usage. */
  isEmptyEvent(event: unknown): boolean;
  /** True if a whole response has the structure of a chat response, regardless of its content. */
  isResponse(reply: JsonObject): boolean;
  /** An error among the choices of a whole response; undefined without an error. */
  errorAmong(reply: JsonObject): unknown;
  /** Reports all content of a whole response to the listener. Throws if the response is nested too deeply. */
  reportResponse(reply: unknown, listener: ContentListener): void;
  /** Reports the content of an event. The event is delivered in any case, so in an unknown format all strings count. */
  reportEvent(event: unknown, listener: ContentListener): void;
  /** Converts a whole response to events: content, finish reason, and usage if requested. */
  splitIntoEvents(reply: JsonObject, wantsUsage: boolean): string;
  /** A whole response with usage counted by the gateway. */
  withUsage(reply: JsonObject, usage: Usage): JsonObject;
  /** Stream event with usage counted by the gateway. */
  usageEvent(usage: Usage, head: EventHead): string;
  /** Merges events into a whole response. */
  openMerger(): EventMerger;
  /** Content of a transcript, whole or in events; undefined for plain text. */
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
 * Receives the content of a response chunk by chunk. A thread is one of several parallel texts, such as a choice, its
 * reasoning or a tool call.
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
  /** True if there has been no content so far. */
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
  readonly usage: UnverifiedUsage;
}

/**
 * Searches an event for a field name by its last characters: a search stops at every occurrence of the first character,
 * and quotes are frequent. Four fields take 0.2 µs per event instead of 0.9 µs with `indexOf` (`node
 * scripts/bench/plain-forms.ts`).
 */
export class FieldSearch {
  /** Field name with quotes and colon. */
  readonly name: string;
  readonly #rare: string;
  readonly #before: number;

  /** `rare` is the end of the name, starting with a character that is rare in events. */
  constructor(name: string, rare: string) {
    if (!name.endsWith(rare)) throw new Error(`${rare} is not the end of ${name}.`);
    this.name = name;
    this.#rare = rare;
    this.#before = name.length - rare.length;
  }

  /** Position after the field; -1 if the field is absent. */
  after(line: string): number {
    for (let at = line.indexOf(this.#rare); at !== -1; at = line.indexOf(this.#rare, at + 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Position after the last occurrence of the field; -1 if the field is absent. */
  afterLast(line: string): number {
    // Searching backwards is slow, and most events do not contain the field.
    if (!line.includes(this.#rare)) return -1;
    for (let at = line.lastIndexOf(this.#rare); at !== -1; at = at === 0 ? -1 : line.lastIndexOf(this.#rare, at - 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Comparing a slice is much faster than `startsWith` with a position. */
  #isAt(line: string, rare: number): boolean {
    const start = rare - this.#before;
    return start >= 0 && line.slice(start, rare + this.#rare.length) === this.name;
  }
}
