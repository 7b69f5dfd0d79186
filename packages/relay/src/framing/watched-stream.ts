import { UpstreamProblem } from '@headgate/dialects';
import {
  type AnswerReader,
  type FrameCutter,
  frameCutters,
  problemInside,
  type StreamDecoder,
} from '@headgate/providers';
import type { KeyGuard } from '../key-guard.ts';
import type { StreamReader } from '../stream-reader.ts';
import type { AnswerLength } from '../tokens/answer-length.ts';
import { deltaSays } from '../tokens/said.ts';
import { LineRest } from './line-rest.ts';

/**
 * A stream in the client's own dialect: its events pass as they are, and are read on the way. From the one that says how
 * the answer ended on they are kept back: the client sees the end when it was charged.
 */
export class WatchedStream implements StreamReader {
  readonly #rest = new LineRest();
  readonly #cutter: FrameCutter;
  readonly #decoder: StreamDecoder;
  readonly #guard: KeyGuard;
  readonly #last: Buffer[] = [];
  readonly length: AnswerLength;
  readonly isBetweenEvents = true;
  readonly isComplete = false;
  events = 0;
  hasFinishReason = false;
  problem: UpstreamProblem | undefined;

  constructor({ stream }: AnswerReader, length: AnswerLength, guard: KeyGuard) {
    this.#guard = guard;
    this.#cutter = frameCutters[stream.framing]();
    this.#decoder = stream.open();
    this.length = length;
  }

  get usage(): StreamDecoder['usage'] {
    return this.#decoder.usage;
  }

  push(chunk: Buffer): Buffer {
    if (this.problem) return nothing;
    if (chunk.indexOf(newline) === -1) {
      this.#rest.keep(chunk);
      return nothing;
    }
    return this.#pass(this.#rest.before(chunk));
  }

  finish(): Buffer {
    const bytes = this.#rest.before(nothing);
    return bytes.length === 0 ? bytes : this.#pass(Buffer.concat([bytes, eventEnd]));
  }

  ending(): Buffer {
    return Buffer.concat(this.#last);
  }

  problemIn(body: unknown): UpstreamProblem | undefined {
    return typeof body === 'object' && body !== null ? problemInside(body, 'The upstream sent no stream') : undefined;
  }

  /** Whole events; an error, and what follows it, is not passed on. */
  #pass(bytes: Buffer): Buffer {
    let start = 0;
    let passed = 0;
    for (let end = eventEndAfter(bytes, start); end !== -1; end = eventEndAfter(bytes, start)) {
      if (!this.#isReadable(bytes.subarray(start, end))) return this.#guard.mask(bytes.subarray(0, passed));
      start = end;
      if (!this.hasFinishReason) passed = end;
    }
    this.#rest.keep(bytes.subarray(start));
    if (passed < start) this.#last.push(this.#guard.mask(bytes.subarray(passed, start)));
    return this.#guard.mask(bytes.subarray(0, passed));
  }

  #isReadable(event: Buffer): boolean {
    try {
      for (const frame of this.#cutter.push(event)) this.#read(frame);
      return true;
    } catch (error) {
      this.problem =
        error instanceof UpstreamProblem ? error : new UpstreamProblem(502, 'The upstream sent what cannot be read');
      return false;
    }
  }

  #read(frame: Parameters<StreamDecoder['push']>[0]): void {
    const deltas = this.#decoder.push(frame);
    // What carries nothing is an event all the same: the client waits for it.
    if (deltas.length === 0) this.events += 1;
    for (const delta of deltas) {
      this.length.add(deltaSays(delta));
      this.events += 1;
      if (delta.finishReason !== undefined) this.hasFinishReason = true;
    }
  }
}

const nothing = Buffer.alloc(0);
const eventEnd = Buffer.from('\n\n');
const newline = 0x0a;

/** Behind the next blank line; -1 when there is none. */
function eventEndAfter(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(newline, from); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    if (bytes[at + 1] === newline) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === newline) return at + 3;
  }
  return -1;
}

const carriageReturn = 0x0d;
