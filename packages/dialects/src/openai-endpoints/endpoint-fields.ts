import type { JsonObject } from '../json-fields.ts';

/** Request fields of a non-chat endpoint that the relay reads. */
export interface EndpointFields {
  /** The required field, which contains the text to count. */
  readonly input: string;
  /** Model used when the client names none. */
  readonly defaultModel?: string;
  /** Checks fields that only this endpoint has; throws a RequestProblem that names the invalid field. */
  judge?(body: JsonObject): void;
  /** Number of prompts in a request; absent: one. */
  countPrompts?(body: JsonObject): number;
  /** Text that the model reads once more with each input item; absent if there is none. */
  readAgain?(body: JsonObject): RepeatedText | undefined;
}

/** Text that the model reads with each input item, such as the query in a rerank request with each document. */
export interface RepeatedText {
  readonly text: string;
  readonly times: number;
}
