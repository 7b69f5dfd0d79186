import type { ClientDisconnect } from './client-disconnect.ts';

export interface ClientSink {
  /** Fires when the client disconnects before its response has ended, or when the server shuts down. */
  readonly disconnect: ClientDisconnect;
  /** Request fields that the channel ignores; listed in a response header. */
  ignored: readonly string[];
  /** Rate limit headers; undefined without limits. */
  limits: Readonly<Record<string, string>> | undefined;
  /** Model that serves the request, when it may differ from the requested one; sent in a response header. */
  servedModel: string | undefined;
  /** True once response headers are set; after that, no other response is possible. */
  readonly isStarted: boolean;
  /** When the headers were set, by the clock of `Ports`; undefined before. */
  readonly startedAt: number | undefined;
  /** Headers are sent with the first bytes, not before. */
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** False: the client reads slowly, wait for `drained`. */
  write(bytes: Buffer): boolean;
  onDrained(resume: () => void): void;
  end(bytes?: Buffer): void;
  /** Called when an internal error stops delivery. */
  onInternalError(error: unknown): void;
  /** Aborts an incomplete response so that it does not look complete. */
  abort(): void;
}
