import type { Dispatcher } from 'undici';
import { forbiddenErrorCode } from '../guards/forbidden-address.ts';
import type { StreamTimeouts } from '../ports/relay-channel.ts';
import type { Ticker, TimeoutTarget } from './ticker.ts';
import type { Connection, TrackedHandler } from './tracked-client.ts';
import {
  forbiddenMessage,
  UpstreamConnectionError,
  type UpstreamResponse,
  type UpstreamSink,
} from './upstream-exchange.ts';

/** Maximum bytes buffered before the response is read. Most bodies arrive together with their headers. */
const maxUnread = 64 * 1024;

/**
 * An upstream that closes an idle connection does so before it reads the request. One that takes longer may have
 * processed and charged the request.
 */
const maxIdleCloseMs = 10_000;

/** One request and its response on a pooled connection. */
export class Exchange implements TrackedHandler, UpstreamResponse, TimeoutTarget {
  readonly #silence: StreamTimeouts;
  readonly #ticker: Ticker;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: UpstreamSink | undefined;
  /** Bytes that arrived before reading began, or while it was paused. */
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isPaused = false;
  #failure: UpstreamConnectionError | undefined;
  #isOver = false;
  #isAborted = false;
  #isSent = false;
  #connection: Connection | undefined;
  #bytesReadBefore = 0;
  #begunAt = 0;
  connectionOf: TrackedHandler['connectionOf'];
  /** Sends the request again on a fresh connection. Cleared together with the body when no longer needed. */
  resend: (() => void) | undefined;
  index = -1;
  /** Number of ticks without any data. */
  #silentTicks = 0;
  status = 0;
  headers: UpstreamResponse['headers'] = {};

  constructor(
    silence: StreamTimeouts,
    ticker: Ticker,
    resolve: (response: UpstreamResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#silence = silence;
    this.#ticker = ticker;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#connection = this.connectionOf?.();
    this.#bytesReadBefore = this.#connection?.socket?.bytesRead ?? 0;
    this.#begunAt = performance.now();
    if (this.#isAborted) controller.abort(new UpstreamConnectionError('client disconnected'));
    else this.#ticker.add(this);
  }

  /** Aborts an upstream that is silent for too long, except while the reader has paused it. */
  tick(): void {
    if (this.#isPaused || this.#unreadBytes > maxUnread) return;
    const hasResponded = this.status !== 0;
    const { firstByteMs, idleMs } = this.#silence;
    this.#silentTicks += 1;
    // The first tick may fire immediately, so wait for one more.
    if ((this.#silentTicks - 1) * this.#ticker.everyMs < (hasResponded ? idleMs : firstByteMs)) return;
    this.#controller?.abort(new UpstreamConnectionError(hasResponded ? 'idle timeout' : 'no response in time'));
  }

  onRequestSent(): void {
    this.#isSent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamResponse['headers'],
  ): void {
    if (status < 200) return;
    this.resend = undefined;
    this.status = status;
    this.headers = headers;
    this.#silentTicks = 0;
    this.#resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#silentTicks = 0;
    if (this.#sink && !this.#isPaused && this.#unread.length === 0) {
      this.#sink.data(chunk);
      return;
    }
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > maxUnread) controller.pause();
  }

  onResponseEnd(): void {
    this.#end();
    this.#flush();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const resend = this.#wasClosedUnused(error) ? this.resend : undefined;
    this.resend = undefined;
    if (resend) {
      this.#ticker.remove(this);
      this.#silentTicks = 0;
      this.#controller = undefined;
      resend();
      return;
    }
    this.#end();
    this.#failure = new UpstreamConnectionError(errorText(error), this.#isSent);
    if (this.#sink) this.#finish(this.#sink);
    else this.#reject(this.#failure);
  }

  /**
   * True if the upstream closed a reused connection before any byte of a response: the connection may have timed out as
   * idle.
   */
  #wasClosedUnused(error: Error): boolean {
    if (this.#isAborted || !closedCodes.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    if (performance.now() - this.#begunAt > maxIdleCloseMs) return false;
    return this.#connection?.isReused === true && this.#connection.socket?.bytesRead === this.#bytesReadBefore;
  }

  read(sink: UpstreamSink): void {
    this.#sink = sink;
    this.#flush();
  }

  pause(): void {
    this.#isPaused = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#silentTicks = 0;
    this.#flush();
  }

  #end(): void {
    this.#isOver = true;
    this.#ticker.remove(this);
  }

  /** Keeps the rest of a response, including its end, until it is read. */
  #flush(): void {
    for (let sink = this.#sink; sink && !this.#isPaused; sink = this.#sink) {
      const chunk = this.#unread.shift();
      if (chunk) {
        sink.data(chunk);
        continue;
      }
      this.#unreadBytes = 0;
      if (this.#isOver) this.#finish(sink);
      else this.#controller?.resume();
      return;
    }
  }

  #finish(sink: UpstreamSink): void {
    this.#sink = undefined;
    if (this.#failure) sink.fail(this.#failure);
    else sink.end();
  }

  abort(): void {
    this.#isAborted = true;
    const failure = new UpstreamConnectionError('client disconnected');
    // The connection is not open yet, so there is nothing to wait for.
    if (!this.#controller) this.#reject(failure);
    else if (!this.#isOver) this.#controller.abort(failure);
  }
}

/** Error codes of a connection closed by the other side. */
const closedCodes: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Network error messages contain hosts and ports; error codes do not. */
function errorText(error: Error): string {
  if (error instanceof UpstreamConnectionError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return known[code ?? ''] ?? code ?? 'the connection failed';
}

const known: Readonly<Record<string, string>> = {
  [forbiddenErrorCode]: forbiddenMessage,
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was lost',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'the host name was not found',
};
