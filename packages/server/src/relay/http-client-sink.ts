import type { ServerResponse } from 'node:http';
import type { ClientSink } from '@headgate/relay';
import type { FastifyReply } from 'fastify';
import { anyOrigin } from './any-origin.ts';

/** Writes straight to the socket: the framework's own way would copy and schedule every chunk. */
export class HttpClientSink implements ClientSink {
  readonly #reply: FastifyReply;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  readonly #abort = new AbortController();

  constructor(reply: FastifyReply, requestId: string) {
    this.#reply = reply;
    this.#response = reply.raw;
    this.#requestId = requestId;
    // It may have left while its token was looked up.
    if (this.#response.closed) this.#abort.abort();
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) this.#abort.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.#reply.hijack();
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
