import { type PassThrough, type UpstreamProblem, usualProblem } from '@headgate/providers';
import type { StreamReader } from '../stream-reader.ts';
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
export class SseScanner implements StreamReader {
  readonly #rest = new LineRest();
  readonly #hides: (event: unknown) => boolean;
  readonly #hiddenError: PassThrough['hiddenError'];
  readonly #hiddenErrorField: Buffer | undefined;
  usage: unknown;
  events = 0;
  pieces = 0;
  textBytes = 0;
  hasFinishReason = false;
  isComplete = false;
  isBetweenEvents = true;
  problem: UpstreamProblem | undefined;

  /** Events for which `hides` says so are left out. */
  constructor(hides: (event: unknown) => boolean = never, hiddenError?: PassThrough['hiddenError']) {
    this.#hides = hides;
    this.#hiddenError = hiddenError;
    this.#hiddenErrorField = hiddenError && Buffer.from(`"${hiddenError.field}":`);
  }

  push(chunk: Buffer): Buffer {
    if (this.isComplete) return nothing;
    if (chunk.indexOf(newline) === -1) {
      this.#rest.keep(chunk);
      return nothing;
    }
    return this.#scan(this.#rest.before(chunk));
  }

  /** What is left without a newline is a line too. */
  finish(): Buffer {
    const rest = this.#rest.before(nothing);
    return rest.length === 0 || this.isComplete ? nothing : this.#scan(Buffer.concat([rest, lineEnd]));
  }

  #scan(bytes: Buffer): Buffer {
    let start = 0;
    let kept: Buffer[] | undefined;
    let keptFrom = 0;
    for (let end = bytes.indexOf(newline, start); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#line(bytes, start, end)) {
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
  #line(bytes: Buffer, from: number, to: number): boolean {
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
    const isHidden = this.#event(bytes.subarray(start, to));
    if (isHidden) this.isBetweenEvents = wasBetweenEvents;
    return isHidden;
  }

  #event(line: Buffer): boolean {
    this.#count(line);
    const finishAt = line.indexOf(finishField);
    if (finishAt !== -1 && holdsValue(line, finishAt, finishField.length)) this.hasFinishReason = true;
    if (!this.#mayMatter(line)) {
      this.events += 1;
      return false;
    }
    const event = parse(line.toString('utf8'));
    if (typeof event !== 'object' || event === null) return false;
    const { error } = event as { error?: unknown };
    this.usage = usageIn(event) ?? this.usage;
    this.problem = error ? usualProblem(502, event) : this.#hiddenError?.read(event as Record<string, unknown>);
    if (this.problem) return true;
    this.events += 1;
    return this.#hides(event);
  }

  #mayMatter(line: Buffer): boolean {
    // `"usage":null` stands in every event of an upstream that was asked for usage.
    if (holdsValue(line, line.lastIndexOf(usageField), usageField.length) || line.indexOf(errorField) !== -1)
      return true;
    return this.#hiddenErrorField !== undefined && line.indexOf(this.#hiddenErrorField) !== -1;
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

interface UsagePlaces {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly choices?: readonly ({ readonly usage?: unknown } | null)[];
}

/** At its own place, or where Groq and Moonshot put it. */
const usageIn = ({ usage, x_groq, choices }: UsagePlaces): unknown =>
  usage || x_groq?.usage || (Array.isArray(choices) ? choices[0]?.usage : undefined) || undefined;

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
