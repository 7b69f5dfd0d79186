import { type OutboundProxy, proxyUrlOf } from '@headgate/contract';
import type { Dispatcher } from 'undici';
import { guardedLookup, isForbiddenHost } from '../guards/forbidden-address.ts';
import type { DisconnectSignal } from '../ports/client-sink.ts';
import type { CallOptions, StreamTimeouts } from '../ports/relay-channel.ts';
import { decodedResponse } from './decoded-response.ts';
import { Exchange } from './exchange.ts';
import { proxyConnector } from './proxy-connector.ts';
import { Ticker } from './ticker.ts';
import { TrackedClient } from './tracked-client.ts';
import { Pool } from './undici-pool.ts';
import {
  forbiddenMessage,
  UpstreamConnectionError,
  type UpstreamRequest,
  type UpstreamResponse,
} from './upstream-exchange.ts';

/** Settings that may change, so they are read for every request. */
export interface Timeouts extends StreamTimeouts {
  readonly connectMs: number;
  /** How often timeouts are checked. Default: a tenth of the shorter timeout, at most every second. */
  readonly tickMs?: number;
}

const keepAliveMs = 30_000;
/** undici closes each connection after its request. */
const noKeepAlive = 0;
const maxAddresses = 10_000;
const maxCachedUrlLength = 500;
const maxTickMs = 1000;
const ticksInTimeout = 10;

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** Origin and the proxy through which it is reached. */
interface Route {
  readonly origin: string;
  readonly proxy: OutboundProxy | undefined;
}

/** Owns all sockets to providers: one pool per origin and proxy. */
export class Upstreams {
  readonly #pools = new Map<string, Pool>();
  /** Pools that open a connection per request. */
  readonly #freshPools = new Map<string, Pool>();
  readonly #addresses = new Map<string, Address>();
  readonly #timeouts: Timeouts;
  readonly #ticker: Ticker;
  readonly #socketAgents = new Map<string, Dispatcher>();
  #resent = 0;

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts;
    const { firstByteMs, idleMs, tickMs } = timeouts;
    this.#ticker = new Ticker(tickMs ?? Math.min(maxTickMs, Math.min(firstByteMs, idleMs) / ticksInTimeout));
  }

  /** Requests resent because the upstream closed a reused connection without a response. */
  get resent(): number {
    return this.#resent;
  }

  /** Resolves when response headers arrive; rejects on failure. Redirects are not followed. */
  open(request: UpstreamRequest, signal: DisconnectSignal, own: CallOptions = {}): Promise<UpstreamResponse> {
    const firstByteMs = own.firstByteMs ?? this.#timeouts.firstByteMs;
    const idleMs = own.idleMs ?? this.#timeouts.idleMs;
    if (request.url.startsWith('ws'))
      return this.#openSocket(request, { signal, firstByteMs, idleMs, proxy: own.proxy });
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new UpstreamConnectionError('client disconnected'));
        return;
      }
      const { origin, path } = this.#addressOf(request.url);
      const opened = request.keepsEncoding
        ? resolve
        : (response: UpstreamResponse) => resolve(decodedResponse(response));
      const exchange = new Exchange({ firstByteMs, idleMs }, this.#ticker, opened, reject);
      signal.addEventListener('abort', () => exchange.abort());
      const options: Dispatcher.DispatchOptions = {
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        // undici creates timers per request; one shared ticker replaces them.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      exchange.resend = () => this.#resend({ origin, proxy: own.proxy }, options, exchange);
      this.#pool({ origin, proxy: own.proxy }).dispatch(options, exchange);
    });
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values(), ...this.#freshPools.values(), ...this.#socketAgents.values()];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #openSocket(
    request: UpstreamRequest,
    { proxy, ...format }: StreamTimeouts & { signal: DisconnectSignal; proxy: OutboundProxy | undefined },
  ): Promise<UpstreamResponse> {
    const { openSocket, socketAgent } = await import('./upstream-socket.ts');
    const key = poolKeyOf('', proxy);
    const agent = this.#socketAgents.get(key) ?? socketAgent(this.#connect(proxy));
    this.#socketAgents.set(key, agent);
    return openSocket(request, { ...format, agent });
  }

  #resend(route: Route, options: Dispatcher.DispatchOptions, exchange: Exchange): void {
    this.#resent += 1;
    const key = poolKeyOf(route.origin, route.proxy);
    const pool = this.#freshPools.get(key) ?? this.#newPool(route, noKeepAlive);
    this.#freshPools.set(key, pool);
    pool.dispatch(options, exchange);
  }

  #addressOf(url: string): Address {
    const known = this.#addresses.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const address = { origin, path: pathname + search };
    // Only short URLs without a query are cached, because signed URLs are used only once.
    if (search === '' && url.length <= maxCachedUrlLength && this.#addresses.size < maxAddresses)
      this.#addresses.set(url, address);
    return address;
  }

  #pool(route: Route): Pool {
    const key = poolKeyOf(route.origin, route.proxy);
    const known = this.#pools.get(key);
    if (known) return known;
    if (isForbiddenHost(new URL(route.origin).hostname)) throw new UpstreamConnectionError(forbiddenMessage);
    const pool = this.#newPool(route, 1);
    this.#pools.set(key, pool);
    return pool;
  }

  #newPool({ origin, proxy }: Route, pipelining: number): Pool {
    return new Pool(origin, {
      connections: null,
      pipelining,
      allowH2: false,
      connect: this.#connect(proxy),
      keepAliveTimeout: keepAliveMs,
      factory: (url, options) => new TrackedClient(url, options),
    });
  }

  #connect(proxy: OutboundProxy | undefined) {
    const timeout = this.#timeouts.connectMs;
    return proxy ? proxyConnector(proxy, timeout) : { timeout, noDelay: true, lookup: guardedLookup };
  }
}

/** Connections through a proxy are used only for channels with that proxy. */
const poolKeyOf = (origin: string, proxy: OutboundProxy | undefined): string =>
  proxy ? `${origin} ${proxyUrlOf(proxy)} ${proxy.password}` : origin;
