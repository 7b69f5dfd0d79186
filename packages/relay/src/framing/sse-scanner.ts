import { type JsonObject, type PassThrough, problemInside, type UpstreamProblem } from '@headgate/providers';
import type { StreamReader } from '../stream-reader.ts';
import { saidIn } from '../tokens/said.ts';
import type { TextTally } from '../tokens/text-tally.ts';
import { parseJson } from '../upstream-error.ts';
import { LineRest } from './line-rest.ts';
import { errorField, SoughtField, usageField } from './sought-field.ts';

/**
 * Watches a stream of server-sent events as bytes go by: it finds usage, errors and the end, and counts pieces, but
 * decodes only the events that may hold something it needs.
 */
export class SseScanner implements StreamReader {
  readonly #rest = new LineRest();
  readonly #hides: (event: unknown) => boolean;
  readonly #hiddenError: PassThrough['hiddenError'];
  readonly #hiddenErrorField: string | undefined;
  readonly tally: TextTally | undefined;
  usage: unknown;
  events = 0;
  pieces = 0;
  textBytes = 0;
  hasFinishReason = false;
  isComplete = false;
  isBetweenEvents = true;
  problem: UpstreamProblem | undefined;

  /** Events for which `hides` says so are left out. Where there is a tally, every event is read for it. */
  constructor(
    hides: (event: unknown) => boolean = never,
    hiddenError?: PassThrough['hiddenError'],
    tally?: TextTally | undefined,
  ) {
    this.#hides = hides;
    this.tally = tally;
    this.#hiddenError = hiddenError;
    this.#hiddenErrorField = hiddenError && `"${hiddenError.field}":`;
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

  problemIn(body: unknown): UpstreamProblem | undefined {
    if (typeof body !== 'object' || body === null) return undefined;
    return this.#hiddenError?.read(body as JsonObject) ?? problemInside(body, 'The upstream sent no stream');
  }

  /** Searching text is much cheaper than searching a buffer, and in this encoding a byte is a character. */
  #scan(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
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

  /** True when the line is to be left out. */
  #line(bytes: Buffer, text: string, from: number, to: number): boolean {
    const isBlank = to === from || (to === from + 1 && text[from] === '\r');
    const wasBetweenEvents = this.isBetweenEvents;
    this.isBetweenEvents = isBlank;
    if (isBlank || !text.startsWith('data:', from)) return false;
    const start = afterSpaces(text, from + 'data:'.length);
    if (text[start] !== '{') {
      if (text.startsWith('[DONE]', start)) {
        this.isComplete = true;
        this.isBetweenEvents = wasBetweenEvents;
      }
      return false;
    }
    const line = text.slice(start, to);
    if (this.tally) this.#tell(this.tally, bytes.subarray(start, to));
    const isHidden = this.#passes(line) ? false : this.#read(bytes.subarray(start, to));
    if (isHidden) this.isBetweenEvents = wasBetweenEvents;
    return isHidden;
  }

  #tell(tally: TextTally, line: Buffer): void {
    for (const said of saidIn(parseJson(line.toString('utf8')))) tally.add(said);
  }

  /** Counts what an event carries; true when there is nothing in it to be read. */
  #passes(line: string): boolean {
    this.#count(line);
    const finish = finishField.after(line);
    if (finish !== -1 && holdsValue(line, finish)) this.hasFinishReason = true;
    if (this.#mayMatter(line)) return false;
    this.events += 1;
    return true;
  }

  #mayMatter(line: string): boolean {
    const usage = usageField.afterLast(line);
    // `"usage":null` stands in every event of an upstream that was asked for usage.
    if (usage !== -1 && holdsValue(line, usage)) return true;
    if (errorField.after(line) !== -1) return true;
    // Azure begins with its word on the prompt; later no event is without choices unless it tells usage.
    if (this.events === 0 && line.includes('"choices":[]')) return true;
    return this.#hiddenErrorField !== undefined && line.includes(this.#hiddenErrorField);
  }

  /** True when the event is to be left out. */
  #read(line: Buffer): boolean {
    const event = parseJson(line.toString('utf8'));
    if (typeof event !== 'object' || event === null) return false;
    const { error } = event as { error?: unknown };
    const usage = usageIn(event);
    this.usage = usage ?? this.usage;
    this.problem = error ? problemInside(event) : this.#hiddenError?.read(event as Record<string, unknown>);
    if (this.problem) return true;
    if (usage !== undefined || !isWithoutChoices(event)) this.events += 1;
    return this.#hides(event);
  }

  #count(line: string): void {
    for (const field of textFields) {
      const after = field.after(line);
      if (after === -1) continue;
      const from = afterSpaces(line, after);
      if (line[from] !== '"') continue;
      const length = closingQuote(line, from + 1) - from - 1;
      if (length <= 0) continue;
      this.pieces += 1;
      this.textBytes += length;
      return;
    }
  }
}

const newline = 0x0a;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
const finishField = new SoughtField('"finish_reason":', '_reason":');
/** Of a chat (reasoning included), of a call of a tool, of a completion. */
const textFields = [
  new SoughtField('content":', 'ontent":'),
  new SoughtField('"arguments":', 'guments":'),
  new SoughtField('"text":', 'ext":'),
] as const;

const never = () => false;

interface UsagePlaces {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly choices?: readonly ({ readonly usage?: unknown } | null)[];
}

/** At its own place, or where Groq and Moonshot put it. */
const usageIn = ({ usage, x_groq, choices }: UsagePlaces): unknown =>
  usage || x_groq?.usage || (Array.isArray(choices) ? choices[0]?.usage : undefined) || undefined;

const isWithoutChoices = ({ choices }: UsagePlaces): boolean => Array.isArray(choices) && choices.length === 0;

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

/** The blank line that ends a hidden event goes with it. */
function afterBlankLine(text: string, from: number): number {
  if (text[from] === '\n') return from + 1;
  return text.startsWith('\r\n', from) ? from + 2 : from;
}

const holdsValue = (line: string, from: number): boolean => line[afterSpaces(line, from)] !== 'n';

/** Where the text that begins at `from` ends; an escaped quote does not end it. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && isEscaped(line, at)) at = line.indexOf('"', at + 1);
  return at;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
