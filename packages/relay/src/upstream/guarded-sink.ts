import { PassingFault, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

interface Guarding {
  readonly sink: UpstreamSink;
  readonly response: UpstreamResponse;
  /** Ends the wait for this answer. */
  readonly reject: (error: unknown) => void;
  /** Called with a fault where the sink is then asked what was delivered; absent where a fault leaves nothing to ask. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * The bytes of an answer come in listeners of sockets, where an exception would end the process. Here it ends the one
 * answer: the sink is told that it broke off, so that what was delivered is charged, or the wait for it is over.
 */
export class GuardedSink implements UpstreamSink {
  readonly #guarding: Guarding;
  #isBroken = false;

  constructor(guarding: Guarding) {
    this.#guarding = guarding;
  }

  data(chunk: Buffer): void {
    if (this.#isBroken) return;
    try {
      this.#guarding.sink.data(chunk);
    } catch (error) {
      this.broke(error);
    }
  }

  end(): void {
    this.run(() => this.#guarding.sink.end());
  }

  fail(failure: Error): void {
    this.run(() => this.#guarding.sink.fail(failure));
  }

  /** For whatever else happens to the answer in a listener. */
  run(act: () => void): void {
    if (this.#isBroken) return;
    try {
      act();
    } catch (error) {
      this.broke(error);
    }
  }

  broke(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const { sink, response, reject, onFault } = this.#guarding;
    onFault?.(error);
    try {
      if (onFault) sink.fail(new PassingFault());
    } catch {
      // Then nobody can say what was delivered.
    }
    // Harmless when the sink has said its last word.
    reject(error);
    response.abort();
  }
}
