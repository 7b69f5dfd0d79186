import { UpstreamProblem } from '@headgate/dialects';
import {
  errorInSuccess,
  type FrameSplitter,
  frameSplitters,
  type ResponseDecoder,
  type StoredIds,
  type StreamDecoder,
} from '@headgate/providers';
import type { KeyLeakFilter } from '../guards/key-leak-filter.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import { textsOfDelta } from '../tokens/response-texts.ts';
import { restartedMessageError, type StreamReader } from './converted-stream.ts';
import { LineBuffer } from './line-buffer.ts';

/**
 * Reads a stream that is already in the client's dialect: its events pass unchanged. Events from the finish reason on
 * are withheld until the charge is stored.
 */
export class PassThroughStream implements StreamReader {
  readonly #rest = new LineBuffer();
  readonly #cutter: FrameSplitter;
  readonly #decoder: StreamDecoder;
  readonly #guard: KeyLeakFilter;
  readonly #last: Buffer[] = [];
  #lastLength = 0;
  /** Tokens in fields that the decoder does not read. */
  #unread = 0;
  readonly length: ResponseLength;
  readonly isBetweenEvents = true;
  readonly isComplete = false;
  events = 0;
  hasFinishReason = false;
  problem: UpstreamProblem | undefined;

  constructor({ stream }: ResponseDecoder, length: ResponseLength, guard: KeyLeakFilter) {
    this.#guard = guard;
    this.#cutter = frameSplitters[stream.framing]();
    this.#decoder = stream.open();
    this.length = length;
  }

  get usage(): StreamDecoder['usage'] {
    return this.#decoder.usage;
  }

  get storedIds(): StoredIds | undefined {
    return this.#decoder.keptAs;
  }

  push(chunk: Buffer): Buffer {
    if (this.problem) return emptyBuffer;
    if (!this.#endsEvent(chunk)) {
      this.#rest.keep(chunk);
      return emptyBuffer;
    }
    return this.#pass(this.#rest.before(chunk));
  }

  finish(): Buffer {
    const bytes = this.#rest.before(emptyBuffer);
    return bytes.length === 0 ? bytes : this.#pass(Buffer.concat([bytes, eventEnd]));
  }

  ending(): Buffer {
    return Buffer.concat(this.#last);
  }

  response(): Buffer | undefined {
    const { response } = this.#decoder;
    return response && this.#guard.mask(Buffer.from(JSON.stringify(response)));
  }

  problemIn(body: unknown): UpstreamProblem | undefined {
    return typeof body === 'object' && body !== null
      ? errorInSuccess(body, 'The upstream response is not a stream')
      : undefined;
  }

  /** Buffered bytes are joined once per event, when its end arrives. */
  #endsEvent(chunk: Buffer): boolean {
    if (chunk.indexOf(newline) === -1) return false;
    if (this.#rest.isEmpty) return true;
    return new EventEnds(this.#rest.last(2).toString('latin1') + chunk.toString('latin1')).after(0) !== -1;
  }

  /** Forwards complete events; an error and everything after it are dropped. */
  #pass(bytes: Buffer): Buffer {
    // Searching a string is much cheaper than searching a buffer, and in latin1 each byte is one character.
    const text = bytes.toString('latin1');
    let start = 0;
    let passed = 0;
    const cuts: number[] = [];
    const ends = new EventEnds(text);
    for (let end = ends.after(0); end !== -1; end = ends.after(start)) {
      if (!this.#isCountedUnread(bytes, text, start, end)) {
        if (!this.#isReadable(bytes.subarray(start, end))) return this.#guard.mask(without(bytes, passed, cuts));
        if (this.#isDropped) cuts.push(start, end);
      }
      start = end;
      if (!this.hasFinishReason) passed = end;
    }
    this.#rest.keep(bytes.subarray(start));
    if (passed < start) this.#keepBack(bytes.subarray(passed, start));
    return this.#guard.mask(without(bytes, passed, cuts));
  }

  /** A client would treat the repeated start of a message as a protocol error. */
  get #isDropped(): boolean {
    return this.#decoder.isRepeatedStart === true && !this.hasFinishReason;
  }

  /** Counts an event that contains only a short text, as most do; returns false if the event must be parsed. */
  #isCountedUnread(bytes: Buffer, text: string, start: number, end: number): boolean {
    const range = this.#decoder.textRangeIn?.(text, start, end);
    if (!range || range.to - range.from > maxPieceLength) return false;
    this.length.addBytes(firstChoice, bytes, range.from, range.to);
    this.events += 1;
    return true;
  }

  #keepBack(bytes: Buffer): void {
    this.#lastLength += bytes.length;
    if (this.#lastLength > maxEndLength)
      this.problem = new UpstreamProblem(502, 'The upstream kept sending after the end of its response');
    else this.#last.push(this.#guard.mask(bytes));
  }

  #isReadable(event: Buffer): boolean {
    try {
      for (const frame of this.#cutter.push(event)) this.#read(frame);
      return true;
    } catch (error) {
      this.problem =
        error instanceof UpstreamProblem
          ? error
          : new UpstreamProblem(502, 'The upstream returned an unreadable response');
      return false;
    }
  }

  #read(frame: Parameters<StreamDecoder['push']>[0]): void {
    const deltas = this.#decoder.push(frame);
    this.#countUnread();
    // An event without content still counts, because the client waits for it.
    if (deltas.length === 0) this.events += 1;
    for (const delta of deltas) {
      if (delta.restarts) throw restartedMessageError();
      this.length.add(textsOfDelta(delta));
      this.events += 1;
      if (delta.finishReason !== undefined) this.hasFinishReason = true;
    }
  }

  /** Counts by length the content of fields that the decoder skips, because the client receives it anyway. */
  #countUnread(): void {
    const tokens = estimateTokens(this.#decoder.unread ?? 0);
    if (tokens === this.#unread) return;
    this.length.add({ texts: [], tokens: tokens - this.#unread });
    this.#unread = tokens;
  }
}

/** Maximum number of bytes withheld at the end of a stream; some upstreams repeat the whole response there. */
const maxEndLength = 16 * 1024 * 1024;
const emptyBuffer = Buffer.alloc(0);
const eventEnd = Buffer.from('\n\n');
const newline = 0x0a;
/** Thread of the first choice, as named by `reportDelta`. */
const firstChoice = '0';
/** Maximum length of a text that is counted without parsing; a longer one may contain a file. */
const maxPieceLength = 500;

/** The bytes up to `end`, except the ranges between each pair of cuts. */
function without(bytes: Buffer, end: number, cuts: readonly number[]): Buffer {
  if (cuts.length === 0) return bytes.subarray(0, end);
  const edges = [0, ...cuts, end];
  const pieces = edges.map((edge, index) => (index % 2 === 0 ? bytes.subarray(edge, edges[index + 1]) : emptyBuffer));
  return Buffer.concat(pieces);
}

/** Finds the blank lines of a text in sequence. */
class EventEnds {
  readonly #text: string;
  #plain = 0;
  #withReturns = 0;

  constructor(text: string) {
    this.#text = text;
    // Searching for one character is much cheaper than for three, and carriage returns are rare.
    if (!text.includes('\r')) this.#withReturns = Number.POSITIVE_INFINITY;
  }

  /**
   * Position after the next blank line; -1 if there is none. Each kind of line ending is searched again only after its
   * last match was passed.
   */
  after(from: number): number {
    this.#plain = nextOf('\n\n', this.#text, from, this.#plain);
    this.#withReturns = nextOf('\n\r\n', this.#text, from, this.#withReturns);
    const end = Math.min(this.#plain + 2, this.#withReturns + 3);
    return end === Number.POSITIVE_INFINITY ? -1 : end;
  }
}

/** Position of the next match; infinity if there is none. `known` is an earlier result. */
function nextOf(blank: string, text: string, from: number, known: number): number {
  if (known > from) return known;
  const found = text.indexOf(blank, from);
  return found === -1 ? Number.POSITIVE_INFINITY : found;
}
