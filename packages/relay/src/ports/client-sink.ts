import { clientDisconnectedError, type RelayError } from './relay-error.ts';

export interface ClientSink {
  /** Fires when the client disconnects before its response has ended, or when the server shuts down. */
  readonly disconnect: ClientDisconnect;
  /** Request fields that the channel ignores; listed in a response header. */
  ignored: readonly string[];
  /** Rate limit headers; undefined without limits. */
  limits: Readonly<Record<string, string>> | undefined;
  /** Model that serves the request, if it may differ from the requested one; sent in a response header. */
  servedModel: string | undefined;
  /** True once response headers are set; after that, no other response is possible. */
  readonly isStarted: boolean;
  /** Time at which the headers were set, by the clock of `Ports`; undefined before that. */
  readonly startedAt: number | undefined;
  /** Headers are sent with the first bytes, not before. */
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** False: the client reads slowly; wait for `drained`. */
  write(bytes: Buffer): boolean;
  onDrained(resume: () => void): void;
  end(bytes?: Buffer): void;
  /** Called when an internal error stops delivery. */
  onInternalError(error: unknown): void;
  /** Aborts an incomplete response so that it does not look complete. */
  abort(): void;
}

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
  /** Reason why the gateway ended the request; undefined if the client disconnected. */
  why: RelayError | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Runs all listeners, then throws the first error thrown by any of them. */
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
