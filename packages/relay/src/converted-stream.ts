import {
  type AnswerGatherer,
  type ChatAdaptor,
  type FrameCutter,
  frameCutters,
  type StreamDecoder,
  type StreamFrame,
  UpstreamProblem,
} from '@headgate/providers';
import { type ChatEnvelope, ChunkWriter } from './chat-envelope.ts';
import type { StreamReader } from './stream-reader.ts';
import { AnswerLength } from './tokens/answer-length.ts';
import { deltaSays } from './tokens/said.ts';

interface Conversion {
  readonly stream: NonNullable<ChatAdaptor['stream']>;
  readonly envelope: ChatEnvelope;
  readonly wantsUsage: boolean;
  /** Also gets every piece, for an answer that is wanted in one. */
  readonly gatherer?: AnswerGatherer;
  /** Also hears every piece. */
  readonly length?: AnswerLength;
}

/** Another wire's stream, read as OpenAI's. */
export class ConvertedStream implements StreamReader {
  readonly #conversion: Conversion;
  readonly #cutter: FrameCutter;
  readonly #decoder: StreamDecoder;
  readonly #writer: ChunkWriter;
  #hasToldUsage = false;
  readonly length: AnswerLength;
  readonly isBetweenEvents = true;
  events = 0;
  hasFinishReason = false;
  isComplete = false;
  problem: UpstreamProblem | undefined;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
    this.length = conversion.length ?? new AnswerLength();
    this.#cutter = frameCutters[conversion.stream.framing]();
    this.#decoder = conversion.stream.open();
    this.#writer = new ChunkWriter(conversion.envelope);
  }

  get usage(): StreamDecoder['usage'] {
    return this.#decoder.usage;
  }

  push(chunk: Buffer): Buffer {
    return Buffer.from(this.#guard(() => this.#convert(this.#cutter.push(chunk))));
  }

  finish(): Buffer {
    const rest = this.#guard(() => this.#convert(this.#cutter.finish()));
    return Buffer.from(rest + this.#usageEvent());
  }

  /** Once, when all was said. */
  #usageEvent(): string {
    const { usage } = this.#decoder;
    if (!this.#conversion.wantsUsage || this.#hasToldUsage || !this.hasFinishReason || !usage) return '';
    this.#hasToldUsage = true;
    return this.#writer.usage(usage);
  }

  #convert(frames: readonly StreamFrame[]): string {
    let text = '';
    for (const frame of frames) {
      if (frame.data === '[DONE]') this.isComplete = true;
      else text += this.#frame(frame);
    }
    // A socket stays open after the last word.
    if (this.hasFinishReason && this.#conversion.stream.framing === 'websocket') this.isComplete = true;
    return this.isComplete ? text + this.#usageEvent() : text;
  }

  #frame(frame: StreamFrame): string {
    let text = '';
    for (const delta of this.#decoder.push(frame)) {
      this.#conversion.gatherer?.add(delta);
      this.length.add(deltaSays(delta));
      this.events += 1;
      if (delta.finishReason !== undefined) this.hasFinishReason = true;
      text += this.#writer.write(delta);
    }
    return text;
  }

  /** What an adaptor cannot read is the upstream's fault, and ends the stream. */
  #guard(convert: () => string): string {
    if (this.problem) return '';
    try {
      return convert();
    } catch (error) {
      this.problem =
        error instanceof UpstreamProblem ? error : new UpstreamProblem(502, 'The upstream sent what cannot be read');
      return '';
    }
  }
}
