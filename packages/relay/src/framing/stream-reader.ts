import { type Failure, UpstreamProblem, type Usage, type UsageClaim } from '@headgate/dialects';
import type { StoredIds } from '@headgate/providers';
import type { ResponseLength } from '../tokens/response-length.ts';

/** Delivered content cannot be revoked, and clients would append the second message to the first. */
export const restartedError = () =>
  new UpstreamProblem(502, 'The upstream restarted its message. Send the request again.');

/** Reads a stream as it passes: upstream bytes in, client bytes out, plus what was found. */
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
  /** The response reached its regular end. */
  readonly hasFinishReason: boolean;
  /** The upstream sent the end marker. It is dropped, and so is everything after it. */
  readonly isComplete: boolean;
  /** The last line that was passed on ended an event. */
  readonly isBetweenEvents: boolean;
  /** Error inside the stream, which is not passed on; undefined without one. */
  readonly problem: UpstreamProblem | undefined;
  /** Absent: `text/event-stream`. */
  readonly contentType?: string | undefined;
  /** Error output where it depends on what was sent before. */
  failing?(failure: Failure): string | undefined;
  /** End of a complete stream; `counted` is sent as its usage when the upstream reported none. */
  ending(counted: Usage): string | Buffer;
  /** The whole response as JSON, after the end of the stream; undefined where responses cannot be stored. */
  answer?(): Buffer | undefined;
  /** Reads an error from a whole body where a stream was expected. */
  problemIn?(body: unknown): UpstreamProblem | undefined;
}
