/** Maximum number of cached responses. */
const mostCached = 200;

interface Entry<Answer> {
  readonly answer: Promise<Answer>;
  readonly until: number;
}

/** Caches responses by query for a limited time. Concurrent identical queries share one response. */
export class ResponseCache<Answer> {
  readonly #entries = new Map<string, Entry<Answer>>();
  readonly #cacheMs: number;
  readonly #now: () => number;

  constructor(cacheMs: number, now: () => number = () => performance.now()) {
    this.#cacheMs = cacheMs;
    this.#now = now;
  }

  get(question: object, read: () => Promise<Answer>): Promise<Answer> {
    if (this.#cacheMs === 0) return read();
    const key = JSON.stringify(question);
    const cached = this.#entries.get(key);
    if (cached && cached.until > this.#now()) return cached.answer;
    const answer = read();
    this.#entries.delete(key);
    this.#entries.set(key, { answer, until: this.#now() + this.#cacheMs });
    // Errors are not cached.
    answer.catch(() => this.#entries.delete(key));
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= mostCached) break;
      this.#entries.delete(oldest);
    }
    return answer;
  }
}
