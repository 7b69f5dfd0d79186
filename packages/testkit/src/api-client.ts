import { type Data, type Endpoint, fillPath, type Input, totalHeader } from '@headgate/contract';
import { CookieJar } from './cookie-jar.ts';

/** What a call of this row must be given; nothing when the row declares no input. */
export type ApiInput<E extends Endpoint> = unknown extends Input<E> ? [] : [input: Input<E>];

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

/** The server said no: by its status, or by `success: false`. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Envelope {
  readonly success?: boolean;
  readonly message?: string;
  readonly data?: unknown;
}

/** Calls a server by rows of the contract, keeping cookies as a browser does. */
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
  async call<E extends Endpoint>(endpoint: E, ...[input]: ApiInput<E>): Promise<Data<E>> {
    const data = dataOf(await this.send(endpoint, input as LooseInput | undefined));
    endpoint.reply.parse(data);
    return data as Data<E>;
  }

  /** One page of a list row, with the number of rows there are in all. */
  async page<E extends ListEndpoint>(endpoint: E, ...[input]: ApiInput<E>): Promise<{ rows: Data<E>; total: number }> {
    const answer = await this.send(endpoint, input as LooseInput | undefined);
    const rows = dataOf(answer);
    endpoint.reply.parse(rows);
    return { rows: rows as Data<E>, total: Number(answer.headers.get(totalHeader) ?? Number.NaN) };
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
    const response = await fetch(url, {
      method,
      headers: this.#headersFor(url, options),
      redirect: 'manual',
      ...bodyOf(options),
    });
    for (const header of response.headers.getSetCookie()) this.cookies.accept(header);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text, response.headers) };
  }

  #headersFor(url: URL, options: SendOptions): Record<string, string> {
    const cookie = this.cookies.headerFor(url);
    return {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...this.headers,
      ...options.headers,
    };
  }
}

function dataOf({ status, body, text }: Answer): unknown {
  const { success, message, data } = (body ?? {}) as Envelope;
  if (status === 200 && success === true) return data;
  throw new ApiFailure(status, message ?? text);
}

function bodyOf({ rawBody, body }: SendOptions): { body?: string | Uint8Array<ArrayBuffer> } {
  if (rawBody !== undefined) return { body: rawBody };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function parseJson(text: string, headers: Headers): unknown {
  return headers.get('content-type')?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
}
