import { transferableAbortController } from 'node:util';
import { CookieJar } from '@headgate/testkit';
import { gatewayUrl, nativeFetch } from './gateway.ts';

/** A request of the console to its gateway. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  readonly body: unknown;
}

/** Handles a call; `forward` sends it to the gateway. */
type Handler = (forward: () => Promise<Response>, call: Call) => Response | Promise<Response>;

interface Route {
  readonly method: string;
  readonly path: string | RegExp;
  readonly handler: Handler;
}

/** Forwards the calls of one open console to the gateway with its own cookies, and records them. */
export class Network {
  readonly cookies = new CookieJar();
  readonly calls: Call[] = [];
  readonly #routes: Route[] = [];
  readonly #gatewayUrl: string | undefined;

  /** The URL is needed only for a gateway other than the worker's. */
  constructor(gatewayUrl?: string) {
    this.#gatewayUrl = gatewayUrl;
  }

  url(): Promise<string> {
    return this.#gatewayUrl === undefined ? gatewayUrl() : Promise.resolve(this.#gatewayUrl);
  }

  /** Recorded calls with this method and path. */
  sent(method: string, path: string | RegExp): Call[] {
    return this.calls.filter((call) => matches({ method, path }, call));
  }

  /** Handles matching calls; the latest route wins. Returns a function that removes the route. */
  route(method: string, path: string | RegExp, handler: Handler): () => void {
    const route = { method, path, handler };
    this.#routes.unshift(route);
    return () => void this.#routes.splice(this.#routes.indexOf(route), 1);
  }

  /** Fails matching calls with this status and message. Returns a function that removes the route. */
  fail(method: string, path: string | RegExp, status: number, message: string): () => void {
    return this.route(method, path, () => Response.json({ success: false, message }, { status }));
  }

  /** Delays matching calls until the returned function is called. */
  hold(method: string, path: string | RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const remove = this.route(method, path, (forward) => promise.then(forward));
    return () => {
      remove();
      resolve();
    };
  }

  /** Changes the `data` of matching responses. Returns a function that removes the route. */
  change(method: string, path: string | RegExp, changed: (data: never) => unknown): () => void {
    return this.route(method, path, async (forward) => {
      const response = await forward();
      const reply = (await response.json()) as { readonly data: never };
      return Response.json({ ...reply, data: changed(reply.data) }, response);
    });
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    // Calls of the test itself use absolute URLs and their own cookies; the console uses relative URLs.
    if (String(input).startsWith('http://127.0.0.1:')) return nativeFetch(input, init);
    const url = new URL(String(input), await this.url());
    const { signal, ...rest } = init;
    const call = callOf(url, init);
    this.calls.push(call);
    const forward = () => this.#send(url, { ...rest, ...(signal && { signal: nativeSignal(signal) }) });
    const handler = this.#routes.find((route) => matches(route, call))?.handler;
    const response = Promise.resolve(handler ? handler(forward, call) : forward());
    return signal ? Promise.race([response, aborted(signal)]) : response;
  };

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const cookie = init.credentials === 'omit' ? undefined : this.cookies.headerFor(url);
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== undefined && { cookie }) };
    const response = await nativeFetch(url, { ...init, headers });
    for (const header of response.headers.getSetCookie()) this.cookies.accept(header);
    return response;
  }
}

function callOf(url: URL, { method = 'GET', body }: RequestInit): Call {
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: typeof body === 'string' ? JSON.parse(body) : undefined,
  };
}

function matches({ method, path }: Pick<Route, 'method' | 'path'>, call: Call): boolean {
  return call.method === method && (typeof path === 'string' ? call.path === path : path.test(call.path));
}

/** A signal for Node's fetch, which does not accept jsdom signals. */
function nativeSignal(signal: AbortSignal): AbortSignal {
  const controller = transferableAbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return controller.signal;
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
