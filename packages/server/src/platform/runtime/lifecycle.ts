/** A service with background work or with something to store before the process ends. */
export interface LifecyclePart {
  readonly name: string;
  /** Called when the app is ready, before it listens. */
  start?(): void | Promise<void>;
  /** Called when the shutdown begins, while requests are still in flight: ends background work and long responses. */
  drain?(): void | Promise<void>;
  /** Called after the last request: stores the remaining state and closes connections. */
  stop?(): void | Promise<void>;
}

/**
 * Starts parts in the order of their creation and stops them in reverse, so that a part may use earlier parts until it
 * has stopped. Parts drain concurrently.
 */
export class Lifecycle {
  readonly #onFailure: (error: unknown, part: string) => void;
  readonly #parts: LifecyclePart[] = [];

  /** `onFailure` is called for a part that could not drain or stop. */
  constructor(onFailure: (error: unknown, part: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Called where the part is created. */
  add(part: LifecyclePart): void {
    this.#parts.push(part);
  }

  /** Rejects with the first failure. */
  async start(): Promise<void> {
    for (const part of this.#parts) await part.start?.();
  }

  /** Never rejects: a part that fails to drain is still stopped later. */
  async drain(): Promise<void> {
    await Promise.all(this.#parts.map((part) => this.#attempt(part, async () => part.drain?.())));
  }

  /** Stops every part, even after a failure, and then rejects with all failures. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const part of this.#parts.toReversed()) {
      failures.push(...(await this.#attempt(part, async () => part.stop?.())));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts of the server could not be stopped.');
  }

  async #attempt({ name }: LifecyclePart, work: () => Promise<void>): Promise<readonly unknown[]> {
    try {
      await work();
      return [];
    } catch (error) {
      this.#onFailure(error, name);
      return [error];
    }
  }
}
