/** Maximum number of cached responses. */
const maxCached = 200;

interface Entry<Response> {
  readonly response: Promise<Response>;
  readonly until: number;
}

/** Caches responses by query for a limited time. Concurrent identical queries share one response. */
export class ResponseCache<Response> {
  readonly #entries = new Map<string, Entry<Response>>();
  readonly #cacheMs: number;
  readonly #now: () => number;

  constructor(cacheMs: number, now: () => number = () => performance.now()) {
    this.#cacheMs = cacheMs;
    this.#now = now;
  }

  get(question: object, read: () => Promise<Response>): Promise<Response> {
    if (this.#cacheMs === 0) return read();
    const key = JSON.stringify(question);
    const cached = this.#entries.get(key);
    if (cached && cached.until > this.#now()) return cached.response;
    const response = read();
    this.#entries.delete(key);
    this.#entries.set(key, { response, until: this.#now() + this.#cacheMs });
    // Errors are not cached.
    response.catch(() => this.#entries.delete(key));
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxCached) break;
      this.#entries.delete(oldest);
    }
    return response;
  }
}
