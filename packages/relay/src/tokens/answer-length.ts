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
  /** Tokens of what is no text. */
  #tokens = 0;
  /** Tokens of signatures, and of the words of what they sign. */
  #signed = 0;
  #thoughtBytes = 0;
  #deliveredBytes = 0;
  #deliveredTokens = 0;

  /** Without a tally nothing but the length of the text is known. */
  constructor(tally?: TextTally) {
    this.#tally = tally;
  }

  add({ texts, tokens, signed = 0 }: AnswerTexts): void {
    for (const { thread, text } of texts) {
      const bytes = Buffer.from(text);
      this.addBytes(thread, bytes, 0, bytes.length);
      if (thread.endsWith('reasoning')) this.#thoughtBytes += bytes.length;
    }
    if (tokens > 0 || signed > 0) this.#pieces += 1;
    this.#tokens += tokens;
    this.#signed += signed;
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

  /** Tokens of all that is no text: what was thought and not told counts by the length of its signature. */
  get #others(): number {
    return this.#tokens + Math.max(0, this.#signed - estimateTokens(this.#thoughtBytes));
  }

  /** Tokens that were read, about, and rather too many: a piece is seldom more than one, and text is seldom that dense. */
  get read(): number {
    return Math.max(this.#pieces, estimateTokens(this.#textBytes)) + Math.ceil(this.#others);
  }

  /** Tokens that were delivered, by their length. */
  get delivered(): number {
    return estimateTokens(this.#deliveredBytes) + Math.ceil(this.#deliveredTokens);
  }

  /** All that was read is delivered. */
  deliver(): void {
    this.#deliveredBytes = this.#textBytes;
    this.#deliveredTokens = this.#others;
    this.#tally?.deliver();
  }

  /** Tokens that were read; undefined when nobody can count them. The stream may go on. */
  async count(): Promise<number | undefined> {
    const others = Math.ceil(this.#others);
    const counted = await this.#tally?.count();
    return counted === undefined ? undefined : counted + others;
  }

  /** Tokens that were delivered; undefined when nobody can count them. Nothing follows. */
  async total(): Promise<number | undefined> {
    const counted = this.delivered === 0 ? 0 : await this.#tally?.total();
    return counted === undefined ? undefined : counted + Math.ceil(this.#deliveredTokens);
  }

  /** Forgets what was counted: nobody wants to know any more. */
  drop(): void {
    this.#tally?.drop();
  }
}
