import { DeliveryError, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

interface Guarding {
  readonly sink: UpstreamSink;
  readonly response: UpstreamResponse;
  /** Rejects the promise for this response. */
  readonly reject: (error: unknown) => void;
  /** Called with an error after which the sink reports the delivered part; absent if there is nothing to report. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * Body chunks arrive in socket listeners, where an exception would end the process. This wrapper ends only the
 * response: the sink fails, so that the delivered part is charged, or its promise rejects.
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

  /** Guards any other listener of the response. */
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
      if (onFault) sink.fail(new DeliveryError());
    } catch {
      // The delivered amount is then unknown.
    }
    // Has no effect when the sink has already settled.
    reject(error);
    response.abort();
  }
}
