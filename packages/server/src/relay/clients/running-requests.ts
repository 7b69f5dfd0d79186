import type { RelayError } from '@headgate/relay';

export interface RunningRequest {
  /** Index in the list of running requests; managed by RunningRequests. */
  index: number;
  /** Ends the request without waiting for it. */
  endNow(why: RelayError): void;
}

/** In-flight requests. */
export class RunningRequests {
  readonly #calls: RunningRequest[] = [];
  #waiting: (() => void)[] = [];
  #over: RelayError | undefined;

  get count(): number {
    return this.#calls.length;
  }

  begin(call: RunningRequest): void {
    call.index = this.#calls.push(call) - 1;
    if (this.#over) call.endNow(this.#over);
  }

  end(call: RunningRequest): void {
    const last = this.#calls.pop();
    if (last && last !== call) {
      last.index = call.index;
      this.#calls[call.index] = last;
    }
    if (this.#calls.length === 0) for (const notify of this.#waiting.splice(0)) notify();
  }

  /**
   * Waits for all requests, including requests whose client disconnected, because they may still have to be settled.
   */
  async idle(): Promise<void> {
    if (this.#calls.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Ends all current and future requests. */
  endAll(why: RelayError): void {
    this.#over = why;
    for (const call of [...this.#calls]) call.endNow(why);
  }
}
