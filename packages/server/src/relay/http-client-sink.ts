import type { ServerResponse } from 'node:http';
import { type ClientSink, Leaving } from '@headgate/relay';
import { anyOrigin } from './any-origin.ts';

/** Writes straight to the socket: the framework's own way would copy and schedule every chunk. */
export class HttpClientSink implements ClientSink {
  readonly #response: ServerResponse;
  readonly #requestId: string;
  readonly leaving = new Leaving();

  constructor(response: ServerResponse, requestId: string) {
    this.#response = response;
    this.#requestId = requestId;
    // It may have left while its token was looked up.
    if (response.closed) this.leaving.leave();
    else
      response.once('close', () => {
        if (!response.writableFinished) this.leaving.leave();
      });
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, { ...headers, ...anyOrigin, 'x-request-id': this.#requestId });
  }

  write(bytes: Buffer): boolean {
    return this.#response.write(bytes);
  }

  onDrained(resume: () => void): void {
    this.#response.once('drain', resume);
  }

  breakOff(): void {
    this.#response.destroy();
  }

  end(bytes?: Buffer): void {
    if (bytes) this.#response.end(bytes);
    else this.#response.end();
  }
}
