import { ClientDisconnect, type ClientSink } from '@headgate/relay';

/** Client of a mirrored request; discards the response. */
export class DiscardingSink implements ClientSink {
  readonly disconnect = new ClientDisconnect();
  ignored: readonly string[] = [];
  limits: ClientSink['limits'];
  servedModel: string | undefined;
  startedAt: number | undefined;
  readonly #onInternalError: (error: unknown) => void;

  constructor(onInternalError: (error: unknown) => void) {
    this.#onInternalError = onInternalError;
  }

  get isStarted(): boolean {
    return this.startedAt !== undefined;
  }

  start(): void {
    this.startedAt ??= performance.now();
  }

  write(): boolean {
    return true;
  }

  onDrained(resume: () => void): void {
    resume();
  }

  end(): void {
    this.start();
  }

  onInternalError(error: unknown): void {
    this.#onInternalError(error);
  }

  abort(): void {
    // A mirrored request has no client.
  }
}
