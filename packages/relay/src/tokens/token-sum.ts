/** A pending count. */
export interface PendingCount {
  readonly characters: number;
  /** Called with undefined if the count failed. */
  readonly settle: (tokens: number | undefined) => void;
}

/** Id of the job; undefined if it was not accepted. */
type Send = (texts: readonly string[], waiting: PendingCount) => number | undefined;

/** Maximum pending characters of one sum; text that arrives faster than it is counted is dropped. */
const maxWaiting = 4_000_000;

/** Token count of texts that are submitted one after another and not stored. */
export class TokenSum {
  readonly #send: Send;
  readonly #drop: (ids: Iterable<number>) => void;
  readonly #patienceMs: number;
  readonly #orders = new Set<number>();
  #tokens = 0;
  #waiting = 0;
  #isLost = false;
  /** Callers waiting for pending counts. */
  #waiters: (() => void)[] = [];

  constructor(send: Send, drop: (ids: Iterable<number>) => void, patienceMs: number) {
    this.#send = send;
    this.#drop = drop;
    this.#patienceMs = patienceMs;
  }

  add(texts: readonly string[]): void {
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters === 0 || this.#isLost) return;
    this.#waiting += characters;
    if (this.#waiting > maxWaiting) {
      this.drop();
      return;
    }
    const order = this.#send(texts, {
      characters,
      settle: (tokens) => {
        this.#waiting -= characters;
        if (order !== undefined) this.#orders.delete(order);
        if (tokens === undefined) this.#isLost = true;
        else this.#tokens += tokens;
        if (this.#isLost || this.#waiting === 0) for (const notify of this.#waiters.splice(0)) notify();
      },
    });
    if (order === undefined) this.drop();
    else this.#orders.add(order);
  }

  /** Undefined if the text cannot be counted in time; pending text is then dropped. */
  async total(): Promise<number | undefined> {
    if (this.#waiting > 0 && !this.#isLost) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#patienceMs);
        this.#waiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (this.#waiting > 0) this.drop();
    }
    return this.#isLost ? undefined : this.#tokens;
  }

  /** Stops counting if the result is not needed. */
  drop(): void {
    this.#isLost = true;
    this.#drop([...this.#orders]);
  }
}

/** A token vocabulary, as named by the tokenizer. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** GPT-3.5, GPT-4 before 4o, and the embedding models, with any prefix such as a vendor or `ft:`. */
const older = /(?:^|[/:])(?:gpt-3\.?5|gpt-4(?:$|-)|text-embedding-)/;

/** Encoding of OpenAI's models; the closest available one for other models. */
export const encodingOf = (model: string): Encoding => (older.test(model) ? 'cl100k_base' : 'o200k_base');
