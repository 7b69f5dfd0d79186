import type { Mail } from './mail-transport.ts';

interface MailQueueDependencies {
  readonly send: (mail: Mail) => Promise<void>;
  readonly onFailure: (error: unknown, willRetry: boolean) => void;
  /** Delays before each retry, in milliseconds. */
  readonly retryAfterMs?: readonly number[];
}

interface Entry {
  readonly mail: Mail;
  readonly tries: number;
}

const maxQueueLength = 1000;
const atOnce = 4;
/** How long the shutdown waits for email. */
const lastAttemptsMs = 5000;

/** Sends email in the background: callers do not wait for a slow server, and failures are retried. */
export class MailQueue {
  readonly #dependencies: MailQueueDependencies;
  readonly #retryAfterMs: readonly number[];
  readonly #waiting: Entry[] = [];
  readonly #retries = new Map<NodeJS.Timeout, Entry>();
  #sending = 0;
  /** Called when the queue is empty; undefined while it is open. */
  #onEmpty: (() => void) | undefined;

  constructor(dependencies: MailQueueDependencies) {
    this.#dependencies = dependencies;
    this.#retryAfterMs = dependencies.retryAfterMs ?? [2000, 10_000, 60_000];
  }

  /** False if the queue is full or closed. */
  add(mail: Mail): boolean {
    if (this.#onEmpty || this.#waiting.length + this.#retries.size >= maxQueueLength) return false;
    this.#waiting.push({ mail, tries: 0 });
    this.#next();
    return true;
  }

  /** Stops accepting email. Each waiting email gets one last attempt, within the given total time. */
  async close(withinMs = lastAttemptsMs): Promise<void> {
    const { promise: isEmpty, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    for (const [timer, entry] of this.#retries) {
      clearTimeout(timer);
      this.#waiting.push(entry);
    }
    this.#retries.clear();
    const patience = setTimeout(resolve, withinMs);
    this.#next();
    await isEmpty;
    clearTimeout(patience);
    const lost = this.#waiting.splice(0).length + this.#sending;
    if (lost > 0) this.#dependencies.onFailure(new Error(`${lost} mails were not sent before the shutdown`), false);
  }

  #next(): void {
    while (this.#sending < atOnce) {
      const entry = this.#waiting.shift();
      if (!entry) break;
      this.#sending += 1;
      void this.#try(entry).finally(() => {
        this.#sending -= 1;
        this.#next();
      });
    }
    if (this.#sending === 0) this.#onEmpty?.();
  }

  async #try({ mail, tries }: Entry): Promise<void> {
    const isLast = this.#onEmpty !== undefined;
    try {
      await this.#dependencies.send(mail);
    } catch (error) {
      const delay = isFinal(error) || isLast ? undefined : this.#retryAfterMs[tries];
      this.#dependencies.onFailure(error, delay !== undefined);
      if (delay !== undefined) this.#later({ mail, tries: tries + 1 }, delay);
    }
  }

  #later(entry: Entry, delay: number): void {
    if (this.#onEmpty) {
      this.#waiting.push(entry);
      return;
    }
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#waiting.push(entry);
      this.#next();
    }, delay);
    timer.unref();
    this.#retries.set(timer, entry);
  }
}

/** A permanent rejection, which is not retried. */
const isFinal = (error: unknown): boolean => Number((error as { responseCode?: unknown }).responseCode) >= 500;
