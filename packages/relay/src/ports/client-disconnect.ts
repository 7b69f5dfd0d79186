import { clientDisconnectedError, type RelayError } from './relay-error.ts';

/** Signals that a client has disconnected. Compatible with AbortSignal, which costs more to create. */
export interface DisconnectSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Sleeps until the time is over or the client disconnects. */
export function sleepUnlessDisconnected(ms: number, gone: DisconnectSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export class ClientDisconnect implements DisconnectSignal {
  readonly #listeners: (() => void)[] = [];
  aborted = false;
  /** Why the gateway ended the request; undefined when the client disconnected. */
  why: RelayError | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Runs all listeners, then throws the first error that a listener threw. */
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

/** The side that ended the request, and the failure to log. */
export const disconnectCause = ({ why }: Pick<ClientDisconnect, 'why'>) =>
  why ? ({ by: 'server', failure: why } as const) : ({ by: 'client', failure: clientDisconnectedError() } as const);
