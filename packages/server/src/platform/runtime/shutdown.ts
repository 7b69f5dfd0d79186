/**
 * State of a shutdown. Once it begins, the node should receive no new requests, but it keeps serving for a while until
 * the load balancer notices.
 */
export class Shutdown {
  readonly #listeners: (() => void)[] = [];
  #hasBegun = false;
  #isReplaced = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** True if another worker serves the same port, so that clients do not notice the shutdown. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  begin({ isReplaced = false } = {}): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#isReplaced = isReplaced;
    for (const listener of this.#listeners) listener();
  }

  /** Call when the replacement also shuts down. */
  endsWithSuccessor(): void {
    this.#isReplaced = false;
  }

  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

/** Time for storing charges and other state, after the grace period of requests. */
export const shutdownStoreMs = 10_000;

interface EndingTimes {
  readonly shutdownDrainMs: number;
  readonly shutdownGraceMs: number;
}

/** Maximum time from SIGTERM to the end of the process. */
export const maxShutdownMs = ({ shutdownDrainMs, shutdownGraceMs }: EndingTimes): number =>
  shutdownDrainMs + shutdownGraceMs + shutdownStoreMs;
