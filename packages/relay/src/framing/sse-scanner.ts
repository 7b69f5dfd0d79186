import { type JsonObject, parseJson, type UpstreamProblem } from '@headgate/dialects';
import { isErrorEvent, type PassThrough, problemInside } from '@headgate/providers';
import type { KeyGuard } from '../guards/key-guard.ts';
import { AnswerLength } from '../tokens/answer-length.ts';
import { type AnswerTexts, textsInEvent } from '../tokens/answer-texts.ts';
import { EventShape, isKnownSilent, rememberSilent, textBetween } from './event-shape.ts';
import { LineRest } from './line-rest.ts';
import { errorField, SoughtField, usageField } from './sought-field.ts';
import type { StreamReader } from './stream-reader.ts';

/** The shape of the last event that was read: most streams of a gateway look alike. */
let usualShape: EventShape | undefined;

/**
 * Watches a stream of server-sent events as bytes go by: it finds usage, errors and the end, and notes what is said. It reads
 * only events that may hold something it needs, and those unlike the one before.
 */
export class SseScanner implements StreamReader {
  readonly #rest = new LineRest();
  readonly #hides: (event: unknown) => boolean;
  readonly #hiddenError: PassThrough['hiddenError'];
  readonly #hiddenErrorField: string | undefined;
  readonly length: AnswerLength;
  readonly #guard: KeyGuard | undefined;
  #shape = usualShape?.copy();
  usage: Readonly<Record<string, unknown>> | undefined;
  events = 0;
  hasFinishReason = false;
  isComplete = false;
  isBetweenEvents = true;
  problem: UpstreamProblem | undefined;

  /** Events for which `hides` says so are left out. */
  constructor(
    hides: (event: unknown) => boolean = never,
    hiddenError?: PassThrough['hiddenError'],
    length: AnswerLength = new AnswerLength(),
    guard?: KeyGuard,
  ) {
    this.#guard = guard;
    this.#hides = hides;
    this.length = length;
    this.#hiddenError = hiddenError;
    this.#hiddenErrorField = hiddenError && `"${hiddenError.field}":`;
  }

  ending(): string {
    return 'data: [DONE]\n\n';
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

  /** True when the line is to be left out. */
  #line(bytes: Buffer, text: string, from: number, to: number): boolean {
    const isBlank = to === from || (to === from + 1 && text[from] === '\r');
    const wasBetweenEvents = this.isBetweenEvents;
    this.isBetweenEvents = isBlank;
    if (isBlank) return false;
    if (!text.startsWith('data:', from)) return false;
    const start = afterSpaces(text, from + 'data:'.length);
    if (text[start] !== '{') {
      if (text.startsWith('[DONE]', start)) {
        this.isComplete = true;
        this.isBetweenEvents = wasBetweenEvents;
      } else if (start < to) this.length.addUnread(to - start);
      return false;
    }
    const isHidden = this.#event(bytes, start, text.slice(start, to));
    if (isHidden) this.isBetweenEvents = wasBetweenEvents;
    return isHidden;
  }

  /** True when the event is to be left out; it begins at `at`. */
  #event(bytes: Buffer, at: number, line: string): boolean {
    const shape = this.#shape;
    if (!shape?.fits(line)) return this.#unusual(bytes, at, line, isKnownSilent(line));
    this.#hear(shape, bytes, at, line);
    if (shape.unsearched !== '' && !this.#isPlain(shape.unsearched)) return this.#unusual(bytes, at, line, true);
    shape.remember(line);
    this.events += 1;
    return false;
  }

  /** The same for one that may have to be read. */
  #unusual(bytes: Buffer, at: number, line: string, isHeard: boolean): boolean {
    const isPlain = this.#isPlain(line);
    const mayMatter = !isPlain && this.#mayMatter(line);
    if (!mayMatter && isHeard) {
      this.events += 1;
      return false;
    }
    const event = parseJson(bytes.toString('utf8', at, at + line.length));
    if (!isHeard && this.#isOddError(event)) return true;
    if (!mayMatter) this.events += 1;
    else if (this.#read(event)) return true;
    if (!isHeard) this.#listen(event, line, isPlain);
    return false;
  }

  /** Whether it is an error that does not call itself one. */
  #isOddError(event: unknown): boolean {
    if (!isErrorEvent(event)) return false;
    this.problem = problemInside(event);
    return true;
  }

  /** The text of an event whose shape is known. */
  #hear({ from, to, strand }: EventShape, bytes: Buffer, at: number, line: string): void {
    const escaped = line.indexOf('\\', from);
    if (escaped === -1 || escaped >= to) this.length.addBytes(strand, bytes, at + from, at + to);
    else this.length.add({ texts: [{ strand, text: textBetween(line, from, to) }], tokens: 0 });
  }

  /** What cannot be understood is paid by its length: it is delivered all the same. */
  #listen(event: unknown, line: string, isPlain: boolean): void {
    const answerTexts = event === undefined ? undefined : sayingOf(event);
    if (!answerTexts) {
      this.length.addUnread(line.length);
      return;
    }
    this.length.add(answerTexts);
    if (answerTexts.texts.length === 0 && answerTexts.tokens === 0) rememberSilent(line);
    const shape = isPlain ? EventShape.of(line, answerTexts) : undefined;
    if (!shape) return;
    this.#shape = shape;
    usualShape = shape.copy();
  }

  /** Whether there is nothing but text to be found. */
  #isPlain(line: string): boolean {
    const finish = finishField.after(line);
    const isLast = finish !== -1 && holdsValue(line, finish);
    if (isLast) this.hasFinishReason = true;
    return !isLast && !this.#mayMatter(line);
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
  #read(event: unknown): boolean {
    if (typeof event !== 'object' || event === null) return false;
    const { error } = event as { error?: unknown };
    const usage = usageIn(event);
    // Some tell it in parts, and each part's last word counts.
    if (usage !== undefined) this.usage = { ...this.usage, ...usage };
    this.problem = error ? problemInside(event) : this.#hiddenError?.read(event as Record<string, unknown>);
    if (this.problem) return true;
    if (usage !== undefined || !isWithoutChoices(event)) this.events += 1;
    return this.#hides(event);
  }
}

const newline = 0x0a;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
const finishField = new SoughtField('"finish_reason":', '_reason":');
const never = () => false;

/** Undefined when it is nested too deeply. */
function sayingOf(event: unknown): AnswerTexts | undefined {
  try {
    return textsInEvent(event);
  } catch {
    return undefined;
  }
}

interface UsagePlaces {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly choices?: readonly ({ readonly usage?: unknown } | null)[];
}

/** At its own place, or where Groq and Moonshot put it. */
function usageIn({ usage, x_groq, choices }: UsagePlaces): object | undefined {
  const told = usage || x_groq?.usage || (Array.isArray(choices) ? choices[0]?.usage : undefined);
  return typeof told === 'object' && told !== null ? told : undefined;
}

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
