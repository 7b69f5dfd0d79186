import { estimateTokens } from './estimate-tokens.ts';
import type { ResponseTexts } from './response-texts.ts';
import type { TextTally } from './text-tally.ts';

/**
 * Length of a streamed response: an estimate at any time, and an exact count on demand if there is a tally. Content
 * counts as delivered only after `deliver`.
 */
export class ResponseLength {
  readonly #tally: TextTally | undefined;
  #pieces = 0;
  #textBytes = 0;
  /** Tokens of non-text content. */
  #tokens = 0;
  /** Tokens of signatures, and of the text they sign. */
  #signed = 0;
  #thoughtBytes = 0;
  #deliveredBytes = 0;
  #deliveredTokens = 0;

  /** Without a tally only the length of the text is known. */
  constructor(tally?: TextTally) {
    this.#tally = tally;
  }

  add({ texts, tokens, signed = 0 }: ResponseTexts): void {
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

  /** Content that cannot be parsed counts by its length. */
  addUnread(bytes: number): void {
    this.#pieces += 1;
    this.#tokens += estimateTokens(bytes);
  }

  /** Tokens of non-text content; hidden reasoning counts by the length of its signature. */
  get #others(): number {
    return this.#tokens + Math.max(0, this.#signed - estimateTokens(this.#thoughtBytes));
  }

  /**
   * Estimated tokens read, intentionally too high: a chunk is rarely more than one token, and few texts have more
   * tokens per character.
   */
  get read(): number {
    return Math.max(this.#pieces, estimateTokens(this.#textBytes)) + Math.ceil(this.#others);
  }

  /** Estimated tokens delivered, by length. */
  get delivered(): number {
    return estimateTokens(this.#deliveredBytes) + Math.ceil(this.#deliveredTokens);
  }

  /** Marks everything read so far as delivered. */
  deliver(): void {
    this.#deliveredBytes = this.#textBytes;
    this.#deliveredTokens = this.#others;
    this.#tally?.deliver();
  }

  /** Tokens read; undefined if they cannot be counted. The stream may continue. */
  async count(): Promise<number | undefined> {
    const others = Math.ceil(this.#others);
    const counted = await this.#tally?.count();
    return counted === undefined ? undefined : counted + others;
  }

  /** Tokens delivered; undefined if they cannot be counted. The stream must have ended. */
  async total(): Promise<number | undefined> {
    const counted = this.delivered === 0 ? 0 : await this.#tally?.total();
    return counted === undefined ? undefined : counted + Math.ceil(this.#deliveredTokens);
  }

  /** Discards the count if it is not needed. */
  drop(): void {
    this.#tally?.drop();
  }
}
