import { type CallInput, createClient, type HeadgateClient } from '@headgate/client';
import { type Data, type Endpoint, fillPath } from '@headgate/contract';
import { CookieJar } from './cookie-jar.ts';

type ListEndpoint = Endpoint & { readonly list: true };

interface UntypedInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface SendOptions extends UntypedInput {
  readonly headers?: Readonly<Record<string, string>>;
  /** Raw body, sent unchanged instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
}

/** A raw response. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON; undefined if the response is not JSON. */
  readonly body: unknown;
}

/**
 * Calls a server by endpoints of the contract and keeps cookies like a browser. Valid calls use the published client;
 * `send` and `request` are for requests that are invalid on purpose.
 */
export class ApiClient {
  readonly cookies = new CookieJar();
  /** Sent with every request; headers of a single request take precedence. */
  readonly headers: Record<string, string> = {};
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /**
   * Returns the data of the response. It must match the endpoint's schema but is returned unparsed, so that a test
   * can detect unexpected fields.
   */
  async call<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Data<E>> {
    const listening = this.#listening();
    await listening.client.call(endpoint, ...given);
    return listening.data() as Data<E>;
  }

  /** Returns one page of a list, with the total number of rows. */
  async page<E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ rows: Data<E>; total: number }> {
    const listening = this.#listening();
    const { total } = await listening.client.page(endpoint, ...given);
    return { rows: listening.data() as Data<E>, total };
  }

  /** Calls an endpoint with input that may be invalid. Returns the response regardless of its status. */
  send(endpoint: Endpoint, options: SendOptions = {}): Promise<ApiResponse> {
    return this.request(endpoint.method, fillPath(endpoint.path, options.params), options);
  }

  /** Sends an arbitrary request. */
  async request(method: string, path: string, options: SendOptions = {}): Promise<ApiResponse> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = { ...(options.body !== undefined && { 'content-type': 'application/json' }), ...options.headers };
    const response = await this.#fetch(url, { method, headers, redirect: 'manual', ...bodyOf(options) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text, response.headers) };
  }

  /** A client for one call, and access to the raw data of its response. */
  #listening(): { client: HeadgateClient; data: () => unknown } {
    let text = '';
    const listening = async (...[address, request]: Parameters<typeof fetch>): Promise<Response> => {
      const response = await this.#fetch(new URL(String(address)), request ?? {});
      text = await response.text();
      const { status, headers } = response;
      // `Response` throws on a body for statuses such as 204, even an empty one.
      return new Response(text || null, { status, headers });
    };
    return {
      client: createClient({ url: this.url, fetch: listening }),
      data: () => (JSON.parse(text) as { data?: unknown }).data,
    };
  }

  /** Adds the cookies and the headers of this client. */
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
