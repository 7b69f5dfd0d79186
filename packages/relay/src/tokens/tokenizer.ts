import { Worker } from 'node:worker_threads';
import { encodingOf } from './encoding.ts';
import { TokenSum, type Waiting } from './token-sum.ts';
import type { Count, Order } from './tokenizer-thread.ts';

/** Tokens are counted in a thread of its own, which is there only while it is needed: it takes some 90 MB. */
const idleMs = 5 * 60_000;
/** A client waits for the count at the end of its reply. */
const patienceMs = 2000;
/** A thread that failed is not started again at once. */
const restMs = 60_000;
/** Characters that may wait to be counted. More would be text that is kept. */
const mostWaiting = 16_000_000;
const threadLimits = { maxOldGenerationSizeMb: 384 };

/** Counts tokens without holding up anything else. */
export class Tokenizer {
  readonly #waiting = new Map<number, Waiting>();
  readonly #idle: number;
  readonly #patience: number;
  readonly #source: URL;
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #characters = 0;
  #orders = 0;
  #until = 0;

  constructor({
    idle = idleMs,
    patience = patienceMs,
    source = new URL('./tokenizer-thread.ts', import.meta.url),
  } = {}) {
    this.#idle = idle;
    this.#patience = patience;
    this.#source = source;
  }

  /** Whether the thread, and with it the memory it takes, is there. */
  get isLoaded(): boolean {
    return this.#thread !== undefined;
  }

  sumFor(model: string, patienceMs = this.#patience): TokenSum {
    const encoding = encodingOf(model);
    return new TokenSum(
      (texts, waiting) => this.#order((id) => ({ id, encoding, texts }), waiting),
      (ids) => this.#drop(ids),
      patienceMs,
    );
  }

  async close(): Promise<void> {
    this.#until = Number.POSITIVE_INFINITY;
    await this.#end();
  }

  /** The number of the order; undefined when it cannot be taken. */
  #order(order: (id: number) => Order, waiting: Waiting): number | undefined {
    if (this.#characters + waiting.characters > mostWaiting || performance.now() < this.#until) return undefined;
    this.#thread ??= this.#start();
    if (!this.#thread) return undefined;
    clearTimeout(this.#timer);
    this.#orders += 1;
    this.#characters += waiting.characters;
    this.#waiting.set(this.#orders, waiting);
    this.#thread.postMessage(order(this.#orders));
    return this.#orders;
  }

  /** Undefined when the machine has no thread to give. */
  #start(): Worker | undefined {
    let thread: Worker;
    try {
      // It needs nothing of what this process was started with, secrets included.
      const bareProcess = { env: {}, execArgv: [], argv: [] };
      thread = new Worker(this.#source, { ...bareProcess, name: 'tokenizer', resourceLimits: threadLimits });
    } catch {
      this.#rest();
      return undefined;
    }
    const failed = () => {
      if (this.#thread !== thread) return;
      this.#rest();
      void this.#end();
    };
    thread.on('message', ({ id, tokens }: Count) => this.#settle(id, tokens));
    thread.on('error', failed);
    thread.on('exit', failed);
    thread.unref();
    return thread;
  }

  #rest(): void {
    this.#until = Math.max(this.#until, performance.now() + restMs);
  }

  #settle(id: number, tokens: number | undefined): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#characters -= waiting.characters;
    waiting.settle(tokens);
    if (this.#waiting.size > 0 || !this.#thread) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(), this.#idle).unref();
  }

  #drop(ids: Iterable<number>): void {
    for (const id of ids) {
      this.#thread?.postMessage({ dropped: id } satisfies Order);
      this.#settle(id, undefined);
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    clearTimeout(this.#timer);
    for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined);
    await thread?.terminate();
  }
}
