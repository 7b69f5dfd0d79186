import { type CallInput, createClient, type HeadgateClient } from '@headgate/client';
import { type Data, type Endpoint, fillPath } from '@headgate/contract';
import { CookieJar } from './cookie-jar.ts';

type ListEndpoint = Endpoint & { readonly list: true };

interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface SendOptions extends LooseInput {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
}

/** A reply as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined when the reply is not JSON. */
  readonly body: unknown;
}

/**
 * Calls a server by rows of the contract, keeping cookies as a browser does. What is called as it should be goes through the
 * client that people install; `send` and `request` are for what is wrong on purpose.
 */
export class ApiClient {
  readonly cookies = new CookieJar();
  /** Sent with every request; those of a single request win. */
  readonly headers: Record<string, string> = {};
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /**
   * The reply's data. It must fit the row's schema but is returned as it came, so that a test can see a field that
   * ought not to be there.
   */
  async call<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Data<E>> {
    const heard = this.#listening();
    await heard.client.call(endpoint, ...given);
    return heard.data() as Data<E>;
  }

  /** One page of a list row, with the number of rows there are in all. */
  async page<E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ rows: Data<E>; total: number }> {
    const heard = this.#listening();
    const { total } = await heard.client.page(endpoint, ...given);
    return { rows: heard.data() as Data<E>, total };
  }

  /** The reply of a row, whatever its status; the input may be wrong on purpose. */
  send(endpoint: Endpoint, options: SendOptions = {}): Promise<Answer> {
    return this.request(endpoint.method, fillPath(endpoint.path, options.params), options);
  }

  /** Any request at all. */
  async request(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = { ...(options.body !== undefined && { 'content-type': 'application/json' }), ...options.headers };
    const response = await this.#fetch(url, { method, headers, redirect: 'manual', ...bodyOf(options) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text, response.headers) };
  }

  /** A client for one call, and the data that came, whatever the client makes of it. */
  #listening(): { client: HeadgateClient; data: () => unknown } {
    let text = '';
    const heard = async (...[address, request]: Parameters<typeof fetch>): Promise<Response> => {
      const response = await this.#fetch(new URL(String(address)), request ?? {});
      text = await response.text();
      const { status, headers } = response;
      // Of some statuses there is no body, not even an empty one.
      return new Response(text || null, { status, headers });
    };
    return {
      client: createClient({ url: this.url, fetch: heard }),
      data: () => (JSON.parse(text) as { data?: unknown }).data,
    };
  }

  /** What a browser adds: its cookies, and here the headers of the whole client. */
  async #fetch(url: URL, request: RequestInit): Promise<Response> {
    const cookie = this.cookies.headerFor(url);
    const own = request.headers as Readonly<Record<string, string>>;
    const headers = { ...(cookie !== undefined && { cookie }), ...this.headers, ...own };
    const response = await fetch(url, { ...request, headers });
    for (const header of response.headers.getSetCookie()) this.cookies.accept(header);
    return response;
  }
}

function bodyOf({ rawBody, body }: SendOptions): { body?: string | Uint8Array<ArrayBuffer> } {
  if (rawBody !== undefined) return { body: rawBody };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function parseJson(text: string, headers: Headers): unknown {
  return headers.get('content-type')?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
}
