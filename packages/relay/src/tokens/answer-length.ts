import type { AnswerTexts } from './answer-texts.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { TextTally } from './text-tally.ts';

/**
 * How long the answer of a stream is: about, at any time, and exactly where there is a tally, when it is asked. What was read
 * is delivered only when that is said.
 */
export class AnswerLength {
  readonly #tally: TextTally | undefined;
  #pieces = 0;
  #textBytes = 0;
  /** Of what is no text. */
  #tokens = 0;
  #deliveredBytes = 0;
  #deliveredTokens = 0;

  /** Without a tally nothing but the length of the text is known. */
  constructor(tally?: TextTally) {
    this.#tally = tally;
  }

  add({ texts, tokens }: AnswerTexts): void {
    for (const { thread, text } of texts) {
      const bytes = Buffer.from(text);
      this.addBytes(thread, bytes, 0, bytes.length);
    }
    if (tokens > 0) this.#pieces += 1;
    this.#tokens += tokens;
  }

  addBytes(thread: string, bytes: Buffer, from: number, to: number): void {
    if (from >= to) return;
    this.#pieces += 1;
    this.#textBytes += to - from;
    this.#tally?.addBytes(thread, bytes, from, to);
  }

  /** What cannot be understood counts by its length. */
  addUnread(bytes: number): void {
    this.#pieces += 1;
    this.#tokens += estimateTokens(bytes);
  }

  /** Tokens that were read, about, and rather too many: a piece is seldom more than one, and text is seldom that dense. */
  get read(): number {
    return Math.max(this.#pieces, estimateTokens(this.#textBytes)) + Math.ceil(this.#tokens);
  }

  /** Tokens that were delivered, by their length. */
  get delivered(): number {
    return estimateTokens(this.#deliveredBytes) + Math.ceil(this.#deliveredTokens);
  }

  /** All that was read is delivered. */
  deliver(): void {
    this.#deliveredBytes = this.#textBytes;
    this.#deliveredTokens = this.#tokens;
    this.#tally?.deliver();
  }

  /** Tokens that were read; undefined when nobody can count them. The stream may go on. */
  async count(): Promise<number | undefined> {
    const others = Math.ceil(this.#tokens);
    const counted = await this.#tally?.count();
    return counted === undefined ? undefined : counted + others;
  }

  /** Tokens that were delivered; undefined when nobody can count them. Nothing follows. */
  async total(): Promise<number | undefined> {
    const counted = this.delivered === 0 ? 0 : await this.#tally?.total();
    return counted === undefined ? undefined : counted + Math.ceil(this.#deliveredTokens);
  }

  /** Nobody wants to know any more. */
  drop(): void {
    this.#tally?.drop();
  }
}
