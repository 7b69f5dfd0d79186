import type { JsonObject } from '../json-fields.ts';

/** What the relay must know of the requests of an endpoint that is no conversation. */
export interface EndpointFields {
  /** The field without which there is nothing to do, and where the text to count stands. */
  readonly input: string;
  /** The model that is asked for when the client names none. */
  readonly defaultModel?: string;
  /** Looks at what only this endpoint has; throws RequestProblem that names what is wrong. */
  judge?(body: JsonObject): void;
  /** How many prompts there are in a request; absent: one. */
  countPrompts?(body: JsonObject): number;
  /** What a model reads anew with each item of the input; absent: nothing. */
  readAgain?(body: JsonObject): ReadAgain | undefined;
}

/** A text that a model reads once for each item of the input, such as the question of a ranking with each document. */
export interface ReadAgain {
  readonly text: string;
  readonly times: number;
}
