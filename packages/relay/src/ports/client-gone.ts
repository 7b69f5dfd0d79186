import { clientLeft, type RelayError } from './relay-error.ts';

/** Says when somebody is no longer waited for. An AbortSignal is one too, and costs more to make. */
export interface GoneSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Waits, but not for somebody who leaves meanwhile. */
export function sleepUnlessGone(ms: number, gone: GoneSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export class ClientGone implements GoneSignal {
  readonly #listeners: (() => void)[] = [];
  aborted = false;
  /** Why it is ended from our side; undefined when the other side left by itself. */
  why: RelayError | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Throws what a listener threw, after all of them have heard it. */
  leave(why?: RelayError): void {
    if (this.aborted) return;
    this.aborted = true;
    this.why = why;
    const faults: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}

/** Who ended the wait of a client, and the failure that is written down of it. */
export const whoEnded = ({ why }: Pick<ClientGone, 'why'>) =>
  why ? ({ by: 'server', failure: why } as const) : ({ by: 'client', failure: clientLeft() } as const);
