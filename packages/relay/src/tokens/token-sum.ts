/** Texts that are being counted. */
export interface Waiting {
  readonly characters: number;
  /** Undefined when it will never be known. */
  readonly settle: (tokens: number | undefined) => void;
}

/** The number of the order; undefined when it cannot be taken. */
type Send = (texts: readonly string[], waiting: Waiting) => number | undefined;

/** Characters of one sum that may wait: a text that comes faster than it is counted is not kept. */
const mostWaiting = 4_000_000;

/** The tokens of texts that are handed over one after the other, and not kept. */
export class TokenSum {
  readonly #send: Send;
  readonly #drop: (ids: Iterable<number>) => void;
  readonly #patienceMs: number;
  readonly #orders = new Set<number>();
  #tokens = 0;
  #waiting = 0;
  #isLost = false;
  /** Callers that wait for the rest. */
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
    if (this.#waiting > mostWaiting) {
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
        if (this.#isLost || this.#waiting === 0) for (const tell of this.#waiters.splice(0)) tell();
      },
    });
    if (order === undefined) this.drop();
    else this.#orders.add(order);
  }

  /** Undefined when that cannot be told in time; what is not counted by then is dropped. */
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

  /** Stops counting: nobody wants to know any more. */
  drop(): void {
    this.#isLost = true;
    this.#drop([...this.#orders]);
  }
}
