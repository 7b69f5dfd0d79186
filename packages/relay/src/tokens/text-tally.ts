import { cutAt } from './cut.ts';
import type { TokenSum } from './token-sum.ts';

/** Answers side by side and their calls of tools. More than that share one, and are counted a little wrong. */
const mostThreads = 256;
const smallestRoom = 256;
const longestLoop = 32;
/** The shortest text that is cut; shorter ones may have no end of a word to be cut at. */
const shortestCut = 512;

/** Text of which a part may not be delivered yet. */
class Thread {
  #bytes = Buffer.alloc(0);
  length = 0;
  /** How much was delivered before the last addition, and when that was. */
  delivered = 0;
  turn = -1;

  add(bytes: Buffer, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#bytes.length) {
      // A piece of the pool that all small buffers share would keep eight times as much in memory.
      const grown = Buffer.allocUnsafeSlow(Math.max(smallestRoom, length, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    // For a few bytes a loop is quicker than the call.
    if (to - from > longestLoop) bytes.copy(this.#bytes, this.length, from, to);
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
 * Counts the text of a stream: it is kept up to a limit, then handed on to be counted, and not kept. So a stream that is
 * not too long costs nothing when nobody asks.
 */
export class TextTally {
  readonly #openSum: () => TokenSum;
  readonly #batch: number;
  readonly #threads = new Map<string, Thread>();
  #sum: TokenSum | undefined;
  #kept = 0;
  #turn = 0;
  #isDropped = false;

  /** So many bytes are gathered before they are handed on. */
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

  /** All that was added is delivered. */
  deliver(): void {
    this.#turn += 1;
    if (this.#kept > this.#batch) this.#handOver();
  }

  /** Tokens of all that was added; more may follow. Undefined when that cannot be told in time. */
  async count(): Promise<number | undefined> {
    if (this.#isDropped) return undefined;
    this.#handOver();
    const rest = this.#openSum();
    rest.add([...this.#threads.values()].map((thread) => thread.text(thread.length)));
    const [handed, kept] = await Promise.all([this.#sum?.total() ?? 0, rest.total()]);
    return handed === undefined || kept === undefined ? undefined : handed + kept;
  }

  /** Tokens of all that was delivered; nothing may follow. Undefined when that cannot be told in time. */
  async total(): Promise<number | undefined> {
    if (this.#isDropped) return undefined;
    this.#isDropped = true;
    const sum = this.#theSum();
    sum.add([...this.#threads.values()].map((thread) => thread.text(this.#deliveredOf(thread))));
    this.#threads.clear();
    return sum.total();
  }

  /** Forgets what was added: nobody wants to know any more. */
  drop(): void {
    this.#isDropped = true;
    this.#threads.clear();
    this.#sum?.drop();
  }

  #theSum(): TokenSum {
    this.#sum ??= this.#openSum();
    return this.#sum;
  }

  /** What was delivered, but for the last words, which may go on. */
  #handOver(): void {
    for (const thread of this.#threads.values()) {
      const delivered = this.#deliveredOf(thread);
      if (delivered < shortestCut) continue;
      const text = thread.text(delivered);
      const words = text.slice(0, cutAt(text, 0, text.length - 1));
      this.#theSum().add([words]);
      const bytes = Math.min(Buffer.byteLength(words), delivered);
      thread.cutOff(bytes);
      this.#kept -= bytes;
    }
  }

  #deliveredOf(thread: Thread): number {
    return thread.turn === this.#turn ? thread.delivered : thread.length;
  }

  #newThread(key: string): Thread {
    const name = this.#threads.size < mostThreads ? key : '';
    const thread = this.#threads.get(name) ?? new Thread();
    this.#threads.set(name, thread);
    return thread;
  }
}
