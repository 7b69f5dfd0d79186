import { type Failure, UpstreamProblem, type Usage, type UsageClaim } from '@headgate/dialects';
import type { StoredIds } from '@headgate/providers';
import type { ResponseLength } from '../tokens/response-length.ts';

/** Delivered content cannot be revoked, and clients would append the second message to the first. */
export const messageRestartedError = () =>
  new UpstreamProblem(502, 'The upstream restarted its message. Send the request again.');

/**
 * Reads a stream as it passes: takes upstream bytes, returns client bytes and collects usage, errors and content
 * length.
 */
export interface StreamReader {
  push(chunk: Buffer): Buffer;
  /** Called when the upstream's bytes have ended. */
  finish(): Buffer;
  /** Last usage the upstream reported; undefined without a report. */
  readonly usage: UsageClaim | undefined;
  /** Ids under which the upstream stores the response; undefined if it reports none. */
  readonly storedIds?: StoredIds | undefined;
  /** Events with content that were not errors. */
  readonly events: number;
  /** Length of all content. */
  readonly length: ResponseLength;
  /** True when the response reached its regular end. */
  readonly hasFinishReason: boolean;
  /** True when the upstream sent the end marker. The marker and everything after it are dropped. */
  readonly isComplete: boolean;
  /** True when the last line that was passed on ended an event. */
  readonly isBetweenEvents: boolean;
  /** Error event found in the stream; not forwarded. Undefined if there is none. */
  readonly problem: UpstreamProblem | undefined;
  /** Absent: `text/event-stream`. */
  readonly contentType?: string | undefined;
  /** Writes an error whose format depends on the events sent before. */
  failing?(failure: Failure): string | undefined;
  /** End of a complete stream. `counted` is sent as the usage when the upstream reported none. */
  ending(counted: Usage): string | Buffer;
  /** The whole response as JSON, after the end of the stream; undefined when the response cannot be stored. */
  answer?(): Buffer | undefined;
  /** Reads an error from a whole body that arrives instead of a stream. */
  problemIn?(body: unknown): UpstreamProblem | undefined;
}
