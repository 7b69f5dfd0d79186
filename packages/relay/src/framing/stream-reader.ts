import { type Failure, UpstreamProblem, type Usage, type UsageClaim } from '@headgate/dialects';
import type { KeptIds } from '@headgate/providers';
import type { AnswerLength } from '../tokens/answer-length.ts';

/** Delivered content cannot be taken back, and clients would append the second message to the first. */
export const restarted = () => new UpstreamProblem(502, 'The upstream restarted its message. Send the request again.');

/** Watches a stream go by: bytes of the upstream in, bytes for the client out, and what was seen. */
export interface StreamReader {
  push(chunk: Buffer): Buffer;
  /** The upstream's bytes have ended. */
  finish(): Buffer;
  /** The last usage the upstream told; undefined when it told none. */
  readonly usage: UsageClaim | undefined;
  /** Under which the upstream keeps the answer; undefined when it does not say. */
  readonly keptAs?: KeptIds | undefined;
  /** Events that carried something and were no error. */
  readonly events: number;
  /** Length of all that was said. */
  readonly length: AnswerLength;
  /** An answer came to its own end. */
  readonly hasFinishReason: boolean;
  /** The stream said that it is complete. What follows is dropped, and so is the mark itself. */
  readonly isComplete: boolean;
  /** The last line that was passed on ended an event. */
  readonly isBetweenEvents: boolean;
  /** An error inside the stream, which is not passed on; undefined when there was none. */
  readonly problem: UpstreamProblem | undefined;
  /** Absent: `text/event-stream`. */
  readonly contentType?: string | undefined;
  /** What follows a failure, where that hangs on what was said before. */
  failing?(failure: Failure): string | undefined;
  /** The end of a complete stream; `counted` is sent as its usage when the upstream has reported none. */
  ending(counted: Usage): string | Buffer;
  /** The whole answer as JSON, after the end of the stream; undefined where answers cannot be stored. */
  answer?(): Buffer | undefined;
  /** Reads what came whole in place of a stream. */
  problemIn?(body: unknown): UpstreamProblem | undefined;
}
