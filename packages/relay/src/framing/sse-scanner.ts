import {
  isObject,
  type JsonObject,
  parseJson,
  type ResponseScan,
  type UnverifiedUsage,
  type UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import { errorIn, errorInSuccess, isErrorEvent, type PassThrough } from '@headgate/providers';
import type { KeyLeakFilter } from '../guards/key-leak-filter.ts';
import { ResponseLength } from '../tokens/response-length.ts';
import { type ResponseTexts, textsInEvent } from '../tokens/response-texts.ts';
import type { StreamReader } from './converted-stream.ts';
import { EventShape, isKnownEmptyEvent, recordEmptyEvent, unescapedText } from './event-shape.ts';
import { LineBuffer } from './line-buffer.ts';

/** Shape of the last parsed event by dialect, shared because most streams of a gateway look alike. */
const usualShapes = new Map<ResponseScan, EventShape>();

interface ScanJob {
  /** Event format of this stream's dialect. */
  readonly scan: ResponseScan;
  /** Matching events are removed. */
  readonly hides?: ((event: unknown) => boolean) | undefined;
  readonly hiddenError?: PassThrough['hiddenError'];
  readonly length?: ResponseLength;
  /** Builds the usage event for a client that requested it; absent otherwise. */
  readonly usageEvent?: ((usage: Usage) => string) | undefined;
  /** Removes the channel's keys from the output. */
  readonly guard?: KeyLeakFilter;
}

/**
 * Scans a stream of server-sent events as bytes pass: finds usage, errors and the end, and records the text. Parses
 * only events that differ from the previous one or may contain usage, an error or the end.
 */
export class SseScanner implements StreamReader {
  readonly #rest = new LineBuffer();
  readonly #scan: ResponseScan;
  readonly #fields: ResponseScan['fields'];
  readonly #hides: (event: unknown) => boolean;
  readonly #hiddenError: PassThrough['hiddenError'];
  readonly #hiddenErrorField: string | undefined;
  readonly length: ResponseLength;
  readonly #guard: KeyLeakFilter | undefined;
  readonly #usageEvent: ScanJob['usageEvent'];
  #shape: EventShape | undefined;
  /** Usage in the format of the events. */
  #usage: JsonObject | undefined;
  events = 0;
  hasFinishReason = false;
  isComplete = false;
  isBetweenEvents = true;
  problem: UpstreamProblem | undefined;

  constructor({ scan, hides = never, hiddenError, length = new ResponseLength(), guard, usageEvent }: ScanJob) {
    this.#scan = scan;
    this.#fields = scan.fields;
    this.#guard = guard;
    this.#hides = hides;
    this.#usageEvent = usageEvent;
    this.length = length;
    this.#hiddenError = hiddenError;
    this.#hiddenErrorField = hiddenError && `"${hiddenError.field}":`;
    this.#shape = usualShapes.get(scan)?.copy();
  }

  get usage(): UnverifiedUsage | undefined {
    return this.#scan.readUsage(this.#usage);
  }

  ending(counted: Usage): string {
    const usage = this.#usage === undefined ? this.#usageEvent?.(counted) : undefined;
    return (usage ?? '') + this.#scan.endEvent;
  }

  push(chunk: Buffer): Buffer {
    if (this.isComplete) return emptyBuffer;
    if (chunk.indexOf(newline) === -1) {
      this.#rest.keep(chunk);
      return emptyBuffer;
    }
    return this.#scanned(this.#rest.before(chunk));
  }

  /** Remaining bytes without a newline also count as a line. */
  finish(): Buffer {
    const rest = this.#rest.before(emptyBuffer);
    return rest.length === 0 || this.isComplete ? emptyBuffer : this.#scanned(Buffer.concat([rest, lineEnd]));
  }

  problemIn(body: unknown): UpstreamProblem | undefined {
    if (typeof body !== 'object' || body === null) return undefined;
    return this.#hiddenError?.read(body as JsonObject) ?? errorInSuccess(body, 'The upstream response is not a stream');
  }

  /** Searching a string is much cheaper than searching a buffer, and in latin1 each byte is one character. */
  #scanned(bytes: Buffer): Buffer {
    const passed = this.#scanLines(bytes, bytes.toString('latin1'));
    return this.#guard ? this.#guard.mask(passed) : passed;
  }

  #scanLines(bytes: Buffer, text: string): Buffer {
    let start = 0;
    let kept: Buffer[] | undefined;
    let keptFrom = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (this.#line(bytes, text, start, end)) {
        kept ??= [];
        kept.push(bytes.subarray(keptFrom, start));
        keptFrom = afterBlankLine(text, end + 1);
      }
      if (this.isComplete) break;
      start = end + 1;
    }
    const whole = Math.max(start, keptFrom);
    if (!this.isComplete) this.#rest.keep(bytes.subarray(whole));
    if (!kept) return bytes.subarray(0, whole);
    if (keptFrom < whole) kept.push(bytes.subarray(keptFrom, whole));
    return Buffer.concat(kept);
  }

  /** True if the line must be removed. */
  #line(bytes: Buffer, text: string, from: number, to: number): boolean {
    const isBlank = to === from || (to === from + 1 && text[from] === '\r');
    const wasBetweenEvents = this.isBetweenEvents;
    this.isBetweenEvents = isBlank;
    if (isBlank) return false;
    if (!text.startsWith('data:', from)) return false;
    const start = afterSpaces(text, from + 'data:'.length);
    if (text[start] !== '{') {
      if (text.startsWith(this.#scan.endMarker, start)) {
        this.isComplete = true;
        this.isBetweenEvents = wasBetweenEvents;
      } else if (start < to) this.length.addUnread(to - start);
      return false;
    }
    const isHidden = this.#event(bytes, start, text.slice(start, to));
    if (isHidden) this.isBetweenEvents = wasBetweenEvents;
    return isHidden;
  }

  /** True if the event must be removed; it starts at `at`. */
  #event(bytes: Buffer, at: number, line: string): boolean {
    const shape = this.#shape;
    if (!shape?.fits(line)) return this.#unusual(bytes, at, line, isKnownEmptyEvent(line, this.#fields.content));
    this.#countText(shape, bytes, at, line);
    if (shape.unsearched !== '' && !this.#isPlain(shape.unsearched)) return this.#unusual(bytes, at, line, true);
    shape.remember(line);
    this.events += 1;
    return false;
  }

  /** True if an event that may have to be parsed must be removed. */
  #unusual(bytes: Buffer, at: number, line: string, isCounted: boolean): boolean {
    const isPlain = this.#isPlain(line);
    const mayMatter = !isPlain && this.#mayMatter(line);
    if (!mayMatter && isCounted) {
      this.events += 1;
      return false;
    }
    const event = parseJson(bytes.toString('utf8', at, at + line.length));
    if (!isCounted && this.#isUnnamedError(event)) return true;
    if (!mayMatter) this.events += 1;
    else if (this.#read(event)) return true;
    if (!isCounted) this.#countEvent(event, line, isPlain);
    return false;
  }

  /** True if an event is an error without an `error` field. */
  #isUnnamedError(event: unknown): boolean {
    if (!isErrorEvent(event)) return false;
    this.problem = errorInSuccess(event);
    return true;
  }

  /** Counts the text of an event whose shape is known. */
  #countText({ from, to, thread }: EventShape, bytes: Buffer, at: number, line: string): void {
    const escaped = line.indexOf('\\', from);
    if (escaped === -1 || escaped >= to) this.length.addBytes(thread, bytes, at + from, at + to);
    else this.length.add({ texts: [{ thread, text: unescapedText(line, from, to) }], tokens: 0 });
  }

  /** An event that cannot be parsed is charged by its length, because it is delivered anyway. */
  #countEvent(event: unknown, line: string, isPlain: boolean): void {
    const responseTexts = event === undefined ? undefined : textsOrNone(event, this.#scan);
    if (!responseTexts) {
      this.length.addUnread(line.length);
      return;
    }
    this.length.add(responseTexts);
    if (responseTexts.texts.length === 0 && responseTexts.tokens === 0) recordEmptyEvent(line, this.#fields.content);
    const shape = isPlain ? EventShape.of(line, responseTexts, this.#fields.content) : undefined;
    if (!shape) return;
    this.#shape = shape;
    usualShapes.set(this.#scan, shape.copy());
  }

  /** True if the line can contain nothing but text. */
  #isPlain(line: string): boolean {
    const finish = this.#fields.finish.after(line);
    const isLast = finish !== -1 && holdsValue(line, finish);
    if (isLast) this.hasFinishReason = true;
    return !isLast && !this.#mayMatter(line);
  }

  #mayMatter(line: string): boolean {
    const usage = this.#fields.usage.afterLast(line);
    // Upstreams that support usage reporting send `"usage":null` in every event.
    if (usage !== -1 && holdsValue(line, usage)) return true;
    if (this.#fields.error.after(line) !== -1) return true;
    if (this.events === 0 && line.includes(this.#scan.emptyStart)) return true;
    return this.#hiddenErrorField !== undefined && line.includes(this.#hiddenErrorField);
  }

  /** True if the event must be removed. */
  #read(event: unknown): boolean {
    if (!isObject(event)) return false;
    const usage = this.#scan.usageIn(event);
    // Some upstreams report usage in several events; the last value of each field counts.
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage };
    this.problem = errorIn(event) ? errorInSuccess(event) : this.#hiddenError?.read(event);
    if (this.problem) return true;
    if (usage !== undefined || !this.#scan.isEmptyEvent(event)) this.events += 1;
    return this.#hides(event);
  }
}

const newline = 0x0a;
const emptyBuffer = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
const never = () => false;

/** Texts of an event; undefined if the event is nested too deeply. */
function textsOrNone(event: unknown, scan: ResponseScan): ResponseTexts | undefined {
  try {
    return textsInEvent(event, scan);
  } catch {
    return undefined;
  }
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

/** The blank line that ends a hidden event is removed with it. */
function afterBlankLine(text: string, from: number): number {
  if (text[from] === '\n') return from + 1;
  return text.startsWith('\r\n', from) ? from + 2 : from;
}

const holdsValue = (line: string, from: number): boolean => line[afterSpaces(line, from)] !== 'n';
