import type { Dispatcher } from 'undici';
import { forbiddenCode, guardedLookup, isForbiddenHost } from '../guards/forbidden-address.ts';
import type { GoneSignal } from '../ports/client-gone.ts';
import type { OwnSilence, Silence } from '../ports/relay-channel.ts';
import { decodedResponse } from './decoded-response.ts';
import { Ticker, type Waiting } from './ticker.ts';
import { Pool } from './undici-pool.ts';
import {
  forbiddenWords,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSink,
} from './upstream-exchange.ts';

/** What is not the same for every channel is read anew for every request. */
export interface Timeouts extends Silence {
  readonly connectMs: number;
}

const keepAliveMs = 30_000;
const mostAddresses = 10_000;
const longestKept = 500;
/** Bytes that are kept of an answer that nobody reads yet; most come whole with their head. */
const mostUnread = 64 * 1024;
const longestTickMs = 1000;
const ticksInTimeout = 10;

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** The only owner of sockets to the providers: one pool for each origin. */
export class Upstreams {
  readonly #pools = new Map<string, Pool>();
  readonly #addresses = new Map<string, Address>();
  readonly #timeouts: Timeouts;
  readonly #ticker: Ticker;
  #socketAgent: Dispatcher | undefined;

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts;
    const { firstByteMs, idleMs } = timeouts;
    this.#ticker = new Ticker(Math.min(longestTickMs, Math.min(firstByteMs, idleMs) / ticksInTimeout));
  }

  /** Resolves when the head of the answer has come; rejects when none comes. Redirects are not followed. */
  open(request: UpstreamRequest, signal: GoneSignal, own: OwnSilence = {}): Promise<UpstreamResponse> {
    const firstByteMs = own.firstByteMs ?? this.#timeouts.firstByteMs;
    const idleMs = own.idleMs ?? this.#timeouts.idleMs;
    if (request.url.startsWith('ws')) return this.#openSocket(request, { signal, firstByteMs, idleMs });
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new UpstreamFailure('the client left'));
        return;
      }
      const { origin, path } = this.#addressOf(request.url);
      const opened = request.keepsEncoding
        ? resolve
        : (response: UpstreamResponse) => resolve(decodedResponse(response));
      const exchange = new Exchange({ firstByteMs, idleMs }, this.#ticker, opened, reject);
      signal.addEventListener('abort', () => exchange.abort());
      this.#pool(origin).dispatch(
        {
          path,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers,
          body: request.body ?? null,
          // Its own timers are made anew with every request; ours is one for all.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        exchange,
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values(), this.#socketAgent].map((pool) => pool?.destroy()));
  }

  async #openSocket(request: UpstreamRequest, manner: Silence & { signal: GoneSignal }): Promise<UpstreamResponse> {
    const { openSocket, socketAgent } = await import('./upstream-socket.ts');
    this.#socketAgent ??= socketAgent();
    return openSocket(request, { ...manner, agent: this.#socketAgent });
  }

  #addressOf(url: string): Address {
    const known = this.#addresses.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const address = { origin, path: pathname + search };
    // A signed address is used once; short ones without a query come again and again.
    if (search === '' && url.length <= longestKept && this.#addresses.size < mostAddresses)
      this.#addresses.set(url, address);
    return address;
  }

  #pool(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known) return known;
    if (isForbiddenHost(new URL(origin).hostname)) throw new UpstreamFailure(forbiddenWords);
    const pool = new Pool(origin, {
      connections: null,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: this.#timeouts.connectMs, noDelay: true, lookup: guardedLookup },
      keepAliveTimeout: keepAliveMs,
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

class Exchange implements Dispatcher.DispatchHandler, UpstreamResponse, Waiting {
  readonly #silence: Silence;
  readonly #ticker: Ticker;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: UpstreamSink | undefined;
  /** What came before somebody read, or while he had asked for a pause. */
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isPaused = false;
  #failure: UpstreamFailure | undefined;
  #isOver = false;
  #isAborted = false;
  #isSent = false;
  place = -1;
  /** How long nothing has been heard. */
  #silentTicks = 0;
  status = 0;
  headers: UpstreamResponse['headers'] = {};

  constructor(
    silence: Silence,
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
    if (this.#isAborted) controller.abort(new UpstreamFailure('the client left'));
    else this.#ticker.add(this);
  }

  /** An upstream that says nothing for too long is given up; one that waits for us is not. */
  tick(): void {
    if (this.#isPaused || this.#unreadBytes > mostUnread) return;
    const isAnswering = this.status !== 0;
    const { firstByteMs, idleMs } = this.#silence;
    this.#silentTicks += 1;
    // The first tick may come at once: one more has to.
    if ((this.#silentTicks - 1) * this.#ticker.everyMs < (isAnswering ? idleMs : firstByteMs)) return;
    this.#controller?.abort(new UpstreamFailure(isAnswering ? 'the answer stalled' : 'no answer came in time'));
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
    if (this.#unreadBytes > mostUnread) controller.pause();
  }

  onResponseEnd(): void {
    this.#end();
    this.#flush();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#failure = new UpstreamFailure(wordsOf(error), this.#isSent);
    if (this.#sink) this.#finish(this.#sink);
    else this.#reject(this.#failure);
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

  /** What is left of an answer waits for its reader, the end of it too. */
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
    const failure = new UpstreamFailure('the client left');
    // Still connecting: nobody waits for that to come to its end.
    if (!this.#controller) this.#reject(failure);
    else if (!this.#isOver) this.#controller.abort(failure);
  }
}

/** Messages of the network name hosts and ports; codes do not. */
function wordsOf(error: Error): string {
  if (error instanceof UpstreamFailure) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return known[code ?? ''] ?? code ?? 'the connection failed';
}

const known: Readonly<Record<string, string>> = {
  [forbiddenCode]: forbiddenWords,
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_SOCKET: 'the connection broke',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'the address is unknown',
};
