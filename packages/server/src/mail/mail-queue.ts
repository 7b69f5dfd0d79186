import type { Mail } from './mail-transport.ts';

interface Parts {
  readonly send: (mail: Mail) => Promise<void>;
  readonly onFailure: (error: unknown, willRetry: boolean) => void;
  /** How long to wait before each further try, in milliseconds. */
  readonly retryAfterMs?: readonly number[];
}

const longestQueue = 1000;
const atOnce = 4;

/** Sends mail behind the caller's back: a slow mail server makes nobody wait, and one that is down gets further tries. */
export class MailQueue {
  readonly #parts: Parts;
  readonly #retryAfterMs: readonly number[];
  readonly #waiting: { readonly mail: Mail; readonly tries: number }[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #sending = 0;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#retryAfterMs = parts.retryAfterMs ?? [2000, 10_000, 60_000];
  }

  /** False when there are more mails waiting than will ever be sent in time. */
  add(mail: Mail): boolean {
    if (this.#isClosed || this.#waiting.length + this.#timers.size >= longestQueue) return false;
    this.#waiting.push({ mail, tries: 0 });
    this.#next();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #next(): void {
    if (this.#sending >= atOnce) return;
    const entry = this.#waiting.shift();
    if (!entry) return;
    this.#sending += 1;
    void this.#try(entry.mail, entry.tries).finally(() => {
      this.#sending -= 1;
      this.#next();
    });
  }

  async #try(mail: Mail, tries: number): Promise<void> {
    try {
      await this.#parts.send(mail);
    } catch (error) {
      const delay = isFinal(error) || this.#isClosed ? undefined : this.#retryAfterMs[tries];
      this.#parts.onFailure(error, delay !== undefined);
      if (delay !== undefined) this.#later(mail, tries + 1, delay);
    }
  }

  #later(mail: Mail, tries: number, delay: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#waiting.push({ mail, tries });
      this.#next();
    }, delay);
    timer.unref();
    this.#timers.add(timer);
  }
}

/** The server's permanent no: asking again would only annoy it. */
const isFinal = (error: unknown): boolean => Number((error as { responseCode?: unknown }).responseCode) >= 500;
