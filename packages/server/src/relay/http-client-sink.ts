import type { ServerResponse } from 'node:http';
import { type ClientSink, Leaving } from '@headgate/relay';
import { anyOrigin } from './any-origin.ts';

/** A client that takes nothing for so long, while something waits for it, will never. */
const usualPatienceMs = 120_000;

interface Manner {
  readonly requestId: string;
  /** How long a client may read nothing; patient unless told otherwise. */
  readonly patienceMs?: number | undefined;
}

/** Writes straight to the socket: the framework's own way would copy and schedule every chunk. */
export class HttpClientSink implements ClientSink {
  readonly #response: ServerResponse;
  readonly #requestId: string;
  readonly #patienceMs: number;
  readonly leaving = new Leaving();
  ignored: readonly string[] = [];

  constructor(response: ServerResponse, { requestId, patienceMs }: Manner, onClosed?: () => void) {
    this.#response = response;
    this.#requestId = requestId;
    this.#patienceMs = patienceMs ?? usualPatienceMs;
    // It may have left while its token was looked up.
    if (response.closed) this.leaving.leave();
    else
      response.on('close', () => {
        if (!response.writableFinished) this.leaving.leave();
        onClosed?.();
      });
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    const ignored = this.ignored.length > 0 && { 'x-headgate-ignored': this.ignored.join(', ') };
    this.#response.writeHead(status, { ...headers, ...anyOrigin, ...ignored, 'x-request-id': this.#requestId });
  }

  write(bytes: Buffer): boolean {
    return this.#response.write(bytes);
  }

  onDrained(resume: () => void): void {
    // Node ends a connection whose time is over, and begins it anew with every byte that gets through.
    this.#response.setTimeout(this.#patienceMs);
    this.#response.once('drain', () => {
      this.#response.setTimeout(0);
      resume();
    });
  }

  breakOff(): void {
    this.#response.destroy();
  }

  end(bytes?: Buffer): void {
    if (bytes) this.#response.end(bytes);
    else this.#response.end();
    if (this.#response.writableLength > 0) this.#response.setTimeout(this.#patienceMs);
  }
}
