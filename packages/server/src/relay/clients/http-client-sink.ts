import type { ServerResponse } from 'node:http';
import { ClientDisconnect, type ClientSink, octetStream, type RelayError } from '@headgate/relay';
import { validateHeaderName, validateHeaderValue } from '../../platform/outgoing/node-http.ts';
import type { PayloadCapture } from '../payload-logging/payload-capture.ts';
import { relayHeaders } from './relay-error-response.ts';
import type { RunningRequest } from './running-requests.ts';

/** A client that reads nothing for this long while data is pending is disconnected. */
export const defaultReaderTimeoutMs = 120_000;

interface ClientSinkOptions {
  readonly requestId: string;
  /** Additional header name for the request id. */
  readonly requestIdHeader?: string | undefined;
  /** How long a client may stop reading; `defaultReaderTimeoutMs` by default. */
  readonly patienceMs?: number | undefined;
  /** Called with exceptions thrown by connection listeners; the connection is then closed. */
  readonly onFault: (error: unknown) => void;
}

/** Writes directly to the socket because Fastify's reply would copy and schedule every chunk. */
export class HttpClientSink implements ClientSink, RunningRequest {
  readonly #response: ServerResponse;
  readonly #requestId: readonly string[];
  readonly #patienceMs: number;
  readonly onInternalError: (error: unknown) => void;
  readonly disconnect = new ClientDisconnect();
  ignored: readonly string[] = [];
  limits: Readonly<Record<string, string>> | undefined;
  servedModel: string | undefined;
  /** Copies the sent bytes for payload logging; usually undefined. */
  copy: PayloadCapture | undefined;
  index = -1;
  startedAt: number | undefined;

  constructor(
    response: ServerResponse,
    { requestId, requestIdHeader, patienceMs, onFault }: ClientSinkOptions,
    onClosed?: () => void,
  ) {
    this.#response = response;
    const other = requestIdHeader === undefined ? [] : [requestIdHeader, requestId];
    this.#requestId = ['x-request-id', requestId, ...other];
    this.#patienceMs = patienceMs ?? defaultReaderTimeoutMs;
    this.onInternalError = onFault;
    // Without a listener, a response error would crash the process.
    response.on('error', (error) => {
      onFault(error);
      response.destroy();
    });
    // The client may have disconnected while its token was looked up.
    if (response.closed) this.disconnect.leave();
    else
      response.on('close', () =>
        this.#listen(() => {
          onClosed?.();
          if (!response.writableFinished) this.disconnect.leave();
        }),
      );
  }

  get isStarted(): boolean {
    return this.#response.headersSent;
  }

  /** 0 before the headers are sent. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0;
  }

  /** Validates upstream statuses and headers, because Node throws if it cannot send them. */
  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.startedAt = performance.now();
    const judged = status >= 200 && status <= 599 ? status : 502;
    const lines = [...constantLines, ...this.#requestId];
    // Upstream headers with reserved names are dropped.
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
    // Node closes the connection after this timeout and restarts the timer whenever data is sent.
    this.#response.setTimeout(this.#patienceMs);
    this.#response.once('drain', () =>
      this.#listen(() => {
        this.#response.setTimeout(0);
        resume();
      }),
    );
  }

  abort(): void {
    this.#response.destroy();
  }

  end(bytes?: Buffer): void {
    if (bytes) {
      this.copy?.push(bytes);
      this.#response.end(bytes);
    } else this.#response.end();
    if (this.#response.writableLength > 0) this.#response.setTimeout(this.#patienceMs);
  }

  /** A client that is still sending its request gets no error response, because the request is incomplete. */
  endNow(why: RelayError): void {
    if (this.#response.req.complete) this.#listen(() => this.disconnect.leave(why));
    else this.abort();
  }

  /**
   * An exception in a listener would crash the process. Here it only closes the connection, which settles the
   * request.
   */
  #listen(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.onInternalError(error);
      this.#response.destroy();
    }
  }
}

/** Header names reserved for the relay; upstream values are dropped. */
const ownHeaders: ReadonlySet<string> = new Set(['x-headgate-ignored', 'x-headgate-model']);

/** Alternating names and values, which Node sends unchanged. */
const constantLines = Object.entries(relayHeaders).flat();

function addSendable(lines: string[], name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(name, value);
  } catch {
    // Invalid headers are dropped.
  }
}

/** Longest entry of a list, in characters before escaping. */
const maxEntryLength = 100;

/** Longest header value in bytes. */
const maxValueLength = 1024;

const separator = ', ';
const cutMark = '...';

/**
 * Header value built from untrusted strings: visible ASCII only, with commas, percent signs and everything else
 * URL-encoded. Long entries and values are truncated, marked with `...`.
 */
export function headerList(entries: readonly string[]): string {
  const max = maxValueLength - separator.length - cutMark.length;
  let value = '';
  for (const entry of entries) {
    const next = value === '' ? escaped(entry) : `${value}${separator}${escaped(entry)}`;
    if (next.length > max) return value === '' ? cutMark : `${value}${separator}${cutMark}`;
    value = next;
  }
  return value;
}

function escaped(entry: string): string {
  const isCut = entry.length > maxEntryLength;
  const text = (isCut ? entry.slice(0, maxEntryLength) : entry).toWellFormed();
  return text.replace(/[^!-~]|[,%]/gu, encodeURIComponent) + (isCut ? cutMark : '');
}
