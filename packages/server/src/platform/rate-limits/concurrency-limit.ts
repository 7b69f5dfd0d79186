interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent work per key; further work waits in order. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#atOnce) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else this.#leave(key, line);
    }
  }

  #leave(key: string, line: Line): void {
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
