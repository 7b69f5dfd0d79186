import {
  type DeltaMerger,
  type Failure,
  type StreamWriter,
  type UnverifiedUsage,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import {
  type ChatAdaptor,
  type FrameSplitter,
  frameSplitters,
  isEndMarker,
  type StoredIds,
  type StreamDecoder,
  type StreamFrame,
} from '@headgate/providers';
import type { KeyLeakFilter } from '../guards/key-leak-filter.ts';
import { ResponseLength } from '../tokens/response-length.ts';
import { textsOfDelta } from '../tokens/response-texts.ts';

interface Conversion {
  readonly stream: NonNullable<ChatAdaptor['stream']>;
  /** Writes the client's dialect; absent if the stream is only collected into a whole response. */
  readonly writer?: StreamWriter;
  /** Also receives every delta, to build the whole response. */
  readonly gatherer?: DeltaMerger;
  readonly length?: ResponseLength;
  /** Removes the channel's keys from the output. */
  readonly keys?: KeyLeakFilter;
}

/** Converts a stream from the upstream's format to the client's dialect. */
export class ConvertedStream implements StreamReader {
  readonly #conversion: Conversion;
  readonly #cutter: FrameSplitter;
  readonly #decoder: StreamDecoder;
  readonly length: ResponseLength;
  readonly isBetweenEvents = true;
  events = 0;
  hasFinishReason = false;
  isComplete = false;
  problem: UpstreamProblem | undefined;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
    this.length = conversion.length ?? new ResponseLength();
    this.#cutter = frameSplitters[conversion.stream.framing]();
    this.#decoder = conversion.stream.open();
  }

  get usage(): StreamDecoder['usage'] {
    return this.#decoder.usage;
  }

  push(chunk: Buffer): Buffer {
    return this.#written(() => this.#cutter.push(chunk));
  }

  finish(): Buffer {
    return this.#written(() => this.#cutter.finish());
  }

  get contentType(): string | undefined {
    return this.#conversion.writer?.contentType;
  }

  failing(failure: Failure): string | undefined {
    const text = this.#conversion.writer?.fail?.(failure);
    return text === undefined ? undefined : this.#masked(text).toString();
  }

  ending(counted: Usage): Buffer {
    return this.#masked(this.#conversion.writer?.end(this.#decoder.usage ?? counted) ?? '');
  }

  response(): Buffer | undefined {
    const whole = this.#conversion.writer?.whole;
    return whole === undefined ? undefined : this.#masked(whole);
  }

  #written(frames: () => readonly StreamFrame[]): Buffer {
    return this.#masked(this.#guard(() => this.#convert(frames())));
  }

  #masked(text: string): Buffer {
    const bytes = Buffer.from(text);
    return this.#conversion.keys?.mask(bytes) ?? bytes;
  }

  #convert(frames: readonly StreamFrame[]): string {
    let text = '';
    for (const frame of frames) {
      if (isEndMarker(frame)) this.isComplete = true;
      else text += this.#frame(frame);
    }
    // A WebSocket stays open after the last message, so the finish reason ends the stream.
    if (this.hasFinishReason && this.#conversion.stream.framing === 'websocket') this.isComplete = true;
    return text;
  }

  #frame(frame: StreamFrame): string {
    let text = '';
    for (const delta of this.#decoder.push(frame)) {
      if (delta.restarts && this.#conversion.writer && this.events > 0) throw restartedMessageError();
      this.#conversion.gatherer?.add(delta);
      this.length.add(textsOfDelta(delta));
      this.events += 1;
      if (delta.finishReason !== undefined) this.hasFinishReason = true;
      text += this.#conversion.writer?.write(delta) ?? '';
    }
    return text;
  }

  /** A delta that an adaptor cannot read is an upstream error and ends the stream. */
  #guard(convert: () => string): string {
    if (this.problem) return '';
    try {
      return convert();
    } catch (error) {
      this.problem =
        error instanceof UpstreamProblem
          ? error
          : new UpstreamProblem(502, 'The upstream returned an unreadable response');
      return '';
    }
  }
}

/** Delivered content cannot be revoked, and clients would append the second message to the first. */
export const restartedMessageError = () =>
  new UpstreamProblem(502, 'The upstream restarted its message. Send the request again.');

/**
 * Reads a stream as it passes through: takes upstream bytes, returns client bytes and collects usage, errors and
 * content length.
 */
export interface StreamReader {
  push(chunk: Buffer): Buffer;
  /** Called after the last upstream bytes. */
  finish(): Buffer;
  /** Last usage that the upstream reported; undefined without a report. */
  readonly usage: UnverifiedUsage | undefined;
  /** Ids under which the upstream stores the response; undefined if it reports none. */
  readonly storedIds?: StoredIds | undefined;
  /** Number of events with content that were not errors. */
  readonly events: number;
  /** Length of all content. */
  readonly length: ResponseLength;
  /** True if the response ended regularly. */
  readonly hasFinishReason: boolean;
  /** True if the upstream sent the end marker. The marker and everything after it are dropped. */
  readonly isComplete: boolean;
  /** True if the last forwarded line ended an event. */
  readonly isBetweenEvents: boolean;
  /** Error event found in the stream; not forwarded. Undefined if there is none. */
  readonly problem: UpstreamProblem | undefined;
  /** Absent: `text/event-stream`. */
  readonly contentType?: string | undefined;
  /** Writes an error whose format depends on events already sent. */
  failing?(failure: Failure): string | undefined;
  /** End of a complete stream. `counted` is sent as the usage if the upstream reported none. */
  ending(counted: Usage): string | Buffer;
  /** The whole response as JSON, after the end of the stream; undefined if the response cannot be stored. */
  response?(): Buffer | undefined;
  /** Reads an error from a whole body that arrives instead of a stream. */
  problemIn?(body: unknown): UpstreamProblem | undefined;
}
