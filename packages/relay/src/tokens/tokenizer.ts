import { Worker } from 'node:worker_threads';
import { encodingOf, type PendingCount, TokenSum } from './token-sum.ts';
import type { TokenizerMessage, TokenizerReply } from './tokenizer-thread.ts';

/** Idle time after which the tokenizer thread is stopped, because it takes about 90 MB. */
const idleMs = 5 * 60_000;
/** Short, because a client waits for the count at the end of its response. */
const countTimeoutMs = 2000;
/** Delay before a failed thread is restarted. */
const restartDelayMs = 60_000;
/** Maximum queued characters, which bounds the memory for text. */
const maxWaiting = 16_000_000;
const threadLimits = { maxOldGenerationSizeMb: 384 };

/** Counts tokens without blocking the event loop. */
export class Tokenizer {
  readonly #waiting = new Map<number, PendingCount>();
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
    patience = countTimeoutMs,
    source = new URL('./tokenizer-thread.ts', import.meta.url),
  } = {}) {
    this.#idle = idle;
    this.#patience = patience;
    this.#source = source;
  }

  /** True if the thread is running and takes memory. */
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

  /** Id of the job; undefined if it was not accepted. */
  #order(order: (id: number) => TokenizerMessage, waiting: PendingCount): number | undefined {
    if (this.#characters + waiting.characters > maxWaiting || performance.now() < this.#until) return undefined;
    this.#thread ??= this.#start();
    if (!this.#thread) return undefined;
    clearTimeout(this.#timer);
    this.#orders += 1;
    this.#characters += waiting.characters;
    this.#waiting.set(this.#orders, waiting);
    this.#thread.postMessage(order(this.#orders));
    return this.#orders;
  }

  /** Undefined if the system cannot start a thread. */
  #start(): Worker | undefined {
    let thread: Worker;
    try {
      // The thread gets an empty environment, because the process's environment contains secrets.
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
    thread.on('message', ({ id, tokens }: TokenizerReply) => this.#settle(id, tokens));
    thread.on('error', failed);
    thread.on('exit', failed);
    thread.unref();
    return thread;
  }

  #rest(): void {
    this.#until = Math.max(this.#until, performance.now() + restartDelayMs);
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
      this.#thread?.postMessage({ dropped: id } satisfies TokenizerMessage);
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
