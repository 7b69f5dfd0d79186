import { LineRest } from './line-rest.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
const letterN = 0x6e;

/**
 * Watches a stream of server-sent events as bytes go by: it finds usage, errors and the end, and counts pieces, but
 * decodes only the events that may hold something it needs.
 */
export class SseScanner {
  readonly #rest = new LineRest();
  /** The last usage an event carried; undefined when none did. */
  usage: unknown;
  /** Events that carried JSON and were no error. */
  events = 0;
  /** Events that carried a piece of an answer. */
  pieces = 0;
  /** Bytes of text in those pieces, about. */
  textBytes = 0;
  /** An answer came to its own end. */
  hasFinishReason = false;
  /** The stream said that it is complete. What follows is dropped, and so is the mark itself. */
  isComplete = false;
  /** The last line that was passed on ended an event. */
  isBetweenEvents = true;
  /** An error inside the stream, which is not passed on; undefined when there was none. */
  error: unknown;

  /** Bytes in, the bytes to pass on out; events for which `hides` says so are left out. */
  push(chunk: Buffer, hides: (event: unknown) => boolean = never): Buffer {
    if (this.isComplete) return nothing;
    if (chunk.indexOf(newline) === -1) {
      this.#rest.keep(chunk);
      return nothing;
    }
    return this.#scan(this.#rest.before(chunk), hides);
  }

  /** The stream ended: what is left without a newline is a line too. */
  finish(hides: (event: unknown) => boolean = never): Buffer {
    const rest = this.#rest.before(nothing);
    return rest.length === 0 || this.isComplete ? nothing : this.#scan(Buffer.concat([rest, lineEnd]), hides);
  }

  #scan(bytes: Buffer, hides: (event: unknown) => boolean): Buffer {
    let start = 0;
    let kept: Buffer[] | undefined;
    let keptFrom = 0;
    for (let end = bytes.indexOf(newline, start); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#line(bytes, start, end, hides)) {
        kept ??= [];
        kept.push(bytes.subarray(keptFrom, start));
        keptFrom = afterBlankLine(bytes, end + 1);
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

  /** True when the line is to be left out. */
  #line(bytes: Buffer, from: number, to: number, hides: (event: unknown) => boolean): boolean {
    const isBlank = to === from || (to === from + 1 && bytes[from] === carriageReturn);
    const wasBetweenEvents = this.isBetweenEvents;
    this.isBetweenEvents = isBlank;
    if (isBlank || !startsWith(bytes, from, dataField)) return false;
    const start = afterSpaces(bytes, from + dataField.length);
    if (bytes[start] !== openingBrace) {
      if (startsWith(bytes, start, doneMark)) {
        this.isComplete = true;
        this.isBetweenEvents = wasBetweenEvents;
      }
      return false;
    }
    const isHidden = this.#event(bytes.subarray(start, to), hides);
    if (isHidden) this.isBetweenEvents = wasBetweenEvents;
    return isHidden;
  }

  #event(line: Buffer, hides: (event: unknown) => boolean): boolean {
    this.#count(line);
    // `"usage":null` stands in every event of an upstream that was asked for usage.
    const mayHoldUsage = holdsValue(line, line.lastIndexOf(usageField), usageField.length);
    const finishAt = line.indexOf(finishField);
    if (finishAt !== -1 && holdsValue(line, finishAt, finishField.length)) this.hasFinishReason = true;
    if (!mayHoldUsage && line.indexOf(errorField) === -1) {
      this.events += 1;
      return false;
    }
    const event = parse(line.toString('utf8'));
    if (typeof event !== 'object' || event === null) return false;
    const { usage, error } = event as { usage?: unknown; error?: unknown };
    if (usage) this.usage = usage;
    if (error) {
      this.error = error;
      return true;
    }
    this.events += 1;
    return hides(event);
  }

  #count(line: Buffer): void {
    for (const field of textFields) {
      const at = line.indexOf(field);
      if (at === -1) continue;
      const from = afterSpaces(line, at + field.length);
      if (line[from] !== quote) continue;
      const length = closingQuote(line, from + 1) - from - 1;
      if (length <= 0) continue;
      this.pieces += 1;
      this.textBytes += length;
      return;
    }
  }
}

const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
const dataField = Buffer.from('data:');
const doneMark = Buffer.from('[DONE]');
const usageField = Buffer.from('"usage":');
const errorField = Buffer.from('"error":');
const finishField = Buffer.from('"finish_reason":');
/** Of a chat (reasoning included), of a call of a tool, of a completion. */
const textFields = [Buffer.from('content":'), Buffer.from('"arguments":'), Buffer.from('"text":')] as const;

const never = () => false;

function afterSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === space) at += 1;
  return at;
}

/** The blank line that ends a hidden event goes with it. */
function afterBlankLine(bytes: Buffer, from: number): number {
  if (bytes[from] === newline) return from + 1;
  return bytes[from] === carriageReturn && bytes[from + 1] === newline ? from + 2 : from;
}

const holdsValue = (line: Buffer, at: number, length: number): boolean =>
  at !== -1 && line[afterSpaces(line, at + length)] !== letterN;

/** Where the text that begins at `from` ends; an escaped quote does not end it. */
function closingQuote(line: Buffer, from: number): number {
  let at = line.indexOf(quote, from);
  while (at !== -1 && isEscaped(line, at)) at = line.indexOf(quote, at + 1);
  return at;
}

function isEscaped(line: Buffer, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

function startsWith(bytes: Buffer, from: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index += 1) {
    if (bytes[from + index] !== prefix[index]) return false;
  }
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
