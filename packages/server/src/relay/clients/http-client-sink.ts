import type { ServerResponse } from 'node:http';
import { ClientGone, type ClientSink, octetStream, type RelayError } from '@headgate/relay';
import { validateHeaderName, validateHeaderValue } from '../../platform/outgoing/node-http.ts';
import type { BodyCapture } from '../payload-logging/body-capture.ts';
import { headerList } from './header-text.ts';
import { relayHeaders } from './relay-headers.ts';
import type { RunningCall } from './running-calls.ts';

/** A client that takes nothing for so long, while something waits for it, will never. */
export const usualPatienceMs = 120_000;

interface ClientSinkOptions {
  readonly requestId: string;
  /** Under which else a client looks for it. */
  readonly requestIdHeader?: string | undefined;
  /** How long a client may read nothing; patient unless told otherwise. */
  readonly patienceMs?: number | undefined;
  /** Called with exceptions of listeners on the connection, which is closed then. */
  readonly onFault: (error: unknown) => void;
}

/** Writes straight to the socket: the framework's own way would copy and schedule every chunk. */
export class HttpClientSink implements ClientSink, RunningCall {
  readonly #response: ServerResponse;
  readonly #requestId: readonly string[];
  readonly #patienceMs: number;
  readonly onFault: (error: unknown) => void;
  readonly gone = new ClientGone();
  ignored: readonly string[] = [];
  limits: Readonly<Record<string, string>> | undefined;
  servedModel: string | undefined;
  /** Copies what is sent; undefined nearly always. */
  copy: BodyCapture | undefined;
  place = -1;
  startedAt: number | undefined;

  constructor(
    response: ServerResponse,
    { requestId, requestIdHeader, patienceMs, onFault }: ClientSinkOptions,
    onClosed?: () => void,
  ) {
    this.#response = response;
    const other = requestIdHeader === undefined ? [] : [requestIdHeader, requestId];
    this.#requestId = ['x-request-id', requestId, ...other];
    this.#patienceMs = patienceMs ?? usualPatienceMs;
    this.onFault = onFault;
    // Without a listener an error of the response would end the process.
    response.on('error', (error) => {
      onFault(error);
      response.destroy();
    });
    // The client may have left while its token was looked up.
    if (response.closed) this.gone.leave();
    else
      response.on('close', () =>
        this.#listen(() => {
          onClosed?.();
          if (!response.writableFinished) this.gone.leave();
        }),
      );
  }

  get isStarted(): boolean {
    return this.#response.headersSent;
  }

  /** 0 before there is one. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0;
  }

  /** What comes from outside is judged here: Node throws at statuses and headers it would not send. */
  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.startedAt = performance.now();
    const judged = status >= 200 && status <= 599 ? status : 502;
    const lines = [...constantLines, ...this.#requestId];
    // What an upstream says under names of our own is not passed on.
    for (const name in headers)
      if (!lines.includes(name) && !ownHeaders.has(name)) addSendable(lines, name, headers[name] ?? '');
    for (const name in this.limits) lines.push(name, this.limits[name] ?? '');
    if (headers['content-type'] === octetStream) lines.push('content-disposition', 'attachment');
    if (this.ignored.length > 0) lines.push('x-headgate-ignored', headerList(this.ignored));
    if (this.servedModel !== undefined) lines.push('x-headgate-model', headerList([this.servedModel]));
    this.#response.writeHead(judged, lines);
  }

  write(bytes: Buffer): boolean {
    this.copy?.push(bytes);
    return this.#response.write(bytes);
  }

  onDrained(resume: () => void): void {
    // Node ends a connection whose time is over, and begins it anew with every byte that gets through.
    this.#response.setTimeout(this.#patienceMs);
    this.#response.once('drain', () =>
      this.#listen(() => {
        this.#response.setTimeout(0);
        resume();
      }),
    );
  }

  breakOff(): void {
    this.#response.destroy();
  }

  end(bytes?: Buffer): void {
    if (bytes) {
      this.copy?.push(bytes);
      this.#response.end(bytes);
    } else this.#response.end();
    if (this.#response.writableLength > 0) this.#response.setTimeout(this.#patienceMs);
  }

  /** Who is still sending is told nothing: there is no request yet that could be answered. */
  endNow(why: RelayError): void {
    if (this.#response.req.complete) this.#listen(() => this.gone.leave(why));
    else this.breakOff();
  }

  /**
   * An exception in a listener would end the process; here it ends the connection, and whoever waits for that hears it.
   */
  #listen(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.onFault(error);
      this.#response.destroy();
    }
  }
}

/** Whatever an upstream says under these is not passed on. */
const ownHeaders: ReadonlySet<string> = new Set(['x-headgate-ignored', 'x-headgate-model']);

/** Names and values in turn, which Node sends as they stand. */
const constantLines = Object.entries(relayHeaders).flat();

function addSendable(lines: string[], name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(name, value);
  } catch {
    // It is left out.
  }
}
