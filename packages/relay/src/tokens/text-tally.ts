import type { TokenSum } from './token-sum.ts';

/**
 * Maximum number of threads (parallel choices and their tool calls). Threads beyond the limit share one, which makes
 * the count slightly inexact.
 */
const maxThreads = 256;
const smallestRoom = 256;
const maxLoopLength = 32;
/** Minimum length of a text that is split; shorter ones may contain no word boundary. */
const shortestCut = 512;

/** Text that may not be fully delivered yet. */
class Thread {
  #bytes = Buffer.alloc(0);
  length = 0;
  /** Bytes delivered before the last addition, and its sequence number. */
  delivered = 0;
  turn = -1;

  add(bytes: Buffer, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#bytes.length) {
      // A slice of Node's shared buffer pool would keep eight times as much memory alive.
      const grown = Buffer.allocUnsafeSlow(Math.max(smallestRoom, length, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    // For a few bytes, a loop is faster than the call.
    if (to - from > maxLoopLength) bytes.copy(this.#bytes, this.length, from, to);
    else for (let at = from; at < to; at += 1) this.#bytes[this.length + at - from] = bytes[at] ?? 0;
    this.length = length;
  }

  text(to: number): string {
    return this.#bytes.toString('utf8', 0, to);
  }

  cutOff(bytes: number): void {
    this.#bytes = Buffer.from(this.#bytes.subarray(bytes, this.length));
    this.length -= bytes;
    this.delivered -= bytes;
  }
}

/**
 * Counts the tokens of a stream: buffers text up to a limit, then sends it to the tokenizer. A short stream costs
 * nothing unless its count is requested.
 */
export class TextTally {
  readonly #openSum: () => TokenSum;
  readonly #batch: number;
  readonly #threads = new Map<string, Thread>();
  #sum: TokenSum | undefined;
  #kept = 0;
  #turn = 0;
  #isDropped = false;

  /** `batch` is the number of bytes buffered before they are sent. */
  constructor(openSum: () => TokenSum, batch: number) {
    this.#openSum = openSum;
    this.#batch = batch;
  }

  addBytes(key: string, bytes: Buffer, from: number, to: number): void {
    if (this.#isDropped) return;
    const thread = this.#threads.get(key) ?? this.#newThread(key);
    if (thread.turn !== this.#turn) {
      thread.turn = this.#turn;
      thread.delivered = thread.length;
    }
    thread.add(bytes, from, to);
    this.#kept += to - from;
  }

  /** Marks everything added so far as delivered. */
  deliver(): void {
    this.#turn += 1;
    if (this.#kept > this.#batch) this.#handOver();
  }

  /** Tokens of everything added so far; more may follow. Undefined if they cannot be counted in time. */
  async count(): Promise<number | undefined> {
    if (this.#isDropped) return undefined;
    this.#handOver();
    const rest = this.#openSum();
    rest.add([...this.#threads.values()].map((thread) => thread.text(thread.length)));
    const [handed, kept] = await Promise.all([this.#sum?.total() ?? 0, rest.total()]);
    return handed === undefined || kept === undefined ? undefined : handed + kept;
  }

  /** Tokens of everything delivered; nothing may follow. Undefined if they cannot be counted in time. */
  async total(): Promise<number | undefined> {
    if (this.#isDropped) return undefined;
    this.#isDropped = true;
    const sum = this.#theSum();
    sum.add([...this.#threads.values()].map((thread) => thread.text(this.#deliveredOf(thread))));
    this.#threads.clear();
    return sum.total();
  }

  /** Discards the text if the count is not needed. */
  drop(): void {
    this.#isDropped = true;
    this.#threads.clear();
    this.#sum?.drop();
  }

  #theSum(): TokenSum {
    this.#sum ??= this.#openSum();
    return this.#sum;
  }

  /** Sends the delivered text, except the last word, which may be incomplete. */
  #handOver(): void {
    for (const thread of this.#threads.values()) {
      const delivered = this.#deliveredOf(thread);
      if (delivered < shortestCut) continue;
      const text = thread.text(delivered);
      const message = text.slice(0, splitPosition(text, 0, text.length - 1));
      this.#theSum().add([message]);
      const bytes = Math.min(Buffer.byteLength(message), delivered);
      thread.cutOff(bytes);
      this.#kept -= bytes;
    }
  }

  #deliveredOf(thread: Thread): number {
    return thread.turn === this.#turn ? thread.delivered : thread.length;
  }

  #newThread(key: string): Thread {
    const name = this.#threads.size < maxThreads ? key : '';
    const thread = this.#threads.get(name) ?? new Thread();
    this.#threads.set(name, thread);
    return thread;
  }
}

/**
 * A word boundary that is also a token boundary in every encoding used here. The apostrophe of a contraction is part of
 * its word.
 */
const edge = /[\p{L}\p{N}](?=[^\p{L}\p{N}\p{M}'])/gu;
const lookBack = 256;

/**
 * Position at which to split a text, at most `limit` after `from`, so that both parts together have as many tokens as
 * the whole. Without a word boundary nearby, splits inside a word, which may add one token.
 */
export function splitPosition(text: string, from: number, limit: number): number {
  const max = from + limit;
  if (max >= text.length) return text.length;
  const start = Math.max(from, max - lookBack);
  let cut = 0;
  for (const match of text.slice(start, max + 2).matchAll(edge)) {
    const end = start + match.index + match[0].length;
    if (end <= max) cut = end;
  }
  if (cut > from) return cut;
  return isFirstHalf(text.charCodeAt(max - 1)) && limit > 1 ? max - 1 : max;
}

/** True if a UTF-16 unit is a high surrogate. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
