import type { Usage } from './chat/chat-answer.ts';
import type { UsageClaim } from './chat/usage-claim.ts';
import type { JsonObject } from './json-fields.ts';
import type { SoughtField } from './sought-field.ts';

/**
 * How a dialect's answers look on the wire, for a relay that passes them on as bytes and watches for what it must know:
 * most events are only searched for the names of a few fields, and never parsed.
 */
export interface AnswerScan {
  readonly fields: ScannedFields;
  /** How the first event of a stream gives away that it says nothing yet. */
  readonly emptyStart: string;
  /** What the last event of a stream holds in place of JSON. */
  readonly endMark: string;
  /** The whole of that event. */
  readonly endEvent: string;
  /** How a line gives away that it carries a picture or sound. */
  readonly media: { readonly pictures: RegExp; readonly sound: RegExp };
  /** The usage that an event tells, as it stands there; undefined when it tells none. */
  usageIn(event: JsonObject): JsonObject | undefined;
  /** What a usage says, unjudged; undefined when it is no object. */
  readUsage(usage: unknown): UsageClaim | undefined;
  /** Whether a parsed event says nothing, and at most tells usage. */
  saysNothing(event: unknown): boolean;
  /** Whether a whole reply has the form of an answer, whatever it says. */
  isAnswer(reply: JsonObject): boolean;
  /** An error that a whole reply has among what it says; undefined when it has none. */
  errorAmong(reply: JsonObject): unknown;
  /** Tells the listener all that a whole reply says. Throws when it is nested too deeply. */
  hearReply(reply: unknown, listener: AnswerListener): void;
  /** Tells the listener what an event says, which reaches the client whatever it is: in an unknown form all its words count. */
  hearEvent(event: unknown, listener: AnswerListener): void;
  /** A whole reply as the events it would have come in: what is said, how it ended, and usage where it is wanted. */
  eventsOfWhole(reply: JsonObject, wantsUsage: boolean): string;
  /** A whole reply with usage that the gateway has counted. */
  withUsage(reply: JsonObject, usage: Usage): JsonObject;
  /** The event of a stream that tells such usage. */
  usageEvent(usage: Usage, head: EventHead): string;
  /** Puts events together to the whole reply they would have been. */
  openGathering(): EventGathering;
  /** What a transcript of sound tells, whole or in events; undefined when it is plain text. */
  readTranscript(text: string): TranscriptReport | undefined;
}

/** Fields that all events of an answer have. */
export interface EventHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** The fields of an event that are looked for. */
export interface ScannedFields {
  /** The list of all that is said. */
  readonly said: SoughtField;
  /** How the answer ended; null while it goes on. */
  readonly finish: SoughtField;
  readonly usage: SoughtField;
  readonly error: SoughtField;
}

/** Is told what an answer says, piece by piece. A thread is one line of text among several: an answer, its reasoning, a call. */
export interface AnswerListener {
  text(thread: string, text: string): void;
  /** Sound in base64. */
  sound(characters: number): void;
  pictures(count: number): void;
  /** Thoughts that only their model can read. */
  sealed(characters: number): void;
  /** The proof of thoughts, which holds them whether or not their words are told. */
  signature(characters: number): void;
  /** Nothing that counts was told so far. */
  readonly isEmpty: boolean;
}

export interface EventGathering {
  add(event: JsonObject): void;
  /** The stream said that it is complete. */
  end(): void;
  /** Undefined when the events are no whole answer. */
  whole(): JsonObject | undefined;
}

/** What the upstream says of a transcript, unjudged. */
export interface TranscriptReport {
  readonly text: string;
  /** Seconds of sound. */
  readonly seconds: unknown;
  readonly usage: UsageClaim;
}
