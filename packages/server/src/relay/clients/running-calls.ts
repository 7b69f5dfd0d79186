import type { RelayError } from '@headgate/relay';

/** A request under way, whoever serves it. */
export interface RunningCall {
  /** Where it stands among the others; not its own affair. */
  place: number;
  /** Ends the call, which is not waited for any longer. */
  endNow(why: RelayError): void;
}

/** The requests under way. */
export class RunningCalls {
  readonly #calls: RunningCall[] = [];
  #waiting: (() => void)[] = [];
  #over: RelayError | undefined;

  get count(): number {
    return this.#calls.length;
  }

  begin(call: RunningCall): void {
    call.place = this.#calls.push(call) - 1;
    if (this.#over) call.endNow(this.#over);
  }

  end(call: RunningCall): void {
    const last = this.#calls.pop();
    if (last && last !== call) {
      last.place = call.place;
      this.#calls[call.place] = last;
    }
    if (this.#calls.length === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Waits for all of them: one whose client has left may still have something to settle. */
  async idle(): Promise<void> {
    if (this.#calls.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Ends them, and whatever begins from now on. */
  endAll(why: RelayError): void {
    this.#over = why;
    for (const call of [...this.#calls]) call.endNow(why);
  }
}
