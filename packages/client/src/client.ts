import {
  type Data,
  type Endpoint,
  etagHeader,
  fillPath,
  type Input,
  ifMatchHeader,
  refusalHeader,
  type Top,
  totalHeader,
  withoutTrailingSlash,
} from '@headgate/contract';
import { HeadgateError } from './headgate-error.ts';

export interface ClientOptions {
  /** Where the gateway is, such as `https://gateway.example`. */
  readonly url: string;
  /** Of whoever the calls are made for; without one they are a visitor's. */
  readonly accessToken?: string;
  /** The language of refusals; English unless told otherwise. */
  readonly language?: 'en' | 'zh';
  /** In place of the one that is there everywhere. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The ETag of what was read: a change is refused (`changedMeanwhile`) when it is another by now. */
  readonly ifMatch?: string | undefined;
}

/** What a call of this row must be given; nothing when the row declares no input. */
export type CallInput<E extends Endpoint> =
  unknown extends Input<E>
    ? [input?: Record<string, never>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

type ListEndpoint = Endpoint & { readonly list: true };
type FileEndpoint = Endpoint & { readonly file: true };

/** A file of the gateway, to be read as it comes. Its last line tells that it is whole. */
export interface FileAnswer {
  /** How many rows it has when it is whole. */
  readonly total: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
}

/** Calls a gateway by rows of its contract. */
export interface HeadgateClient {
  /** The data of the answer. */
  call<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Data<E>>;
  /** The data and the ETag, where the thing has one: what a change of it is to be given as `ifMatch`. */
  read<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ data: Data<E>; etag: string | undefined }>;
  /** One page of a list, with the number of rows there are in all. */
  page<E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ rows: Data<E>; total: number }>;
  /** What stands beside the data, such as the seconds that a test of a channel took. */
  top<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Top<E>>;
  /** A file. */
  file<E extends FileEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<FileAnswer>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface Envelope {
  readonly success: boolean;
  readonly message?: unknown;
  readonly data?: unknown;
}

interface Given {
  readonly input: LooseInput;
  readonly options: CallOptions;
}

const givenOf = ([input = {}, options = {}]: readonly unknown[]): Given => ({
  input: input as LooseInput,
  options: options as CallOptions,
});

export function createClient(options: ClientOptions): HeadgateClient {
  const exchange = async (endpoint: Endpoint, given: readonly unknown[]) => {
    const response = await send(options, endpoint, givenOf(given));
    return { response, envelope: await envelopeOf(response) };
  };
  return {
    call: async (endpoint, ...given) => {
      const { response, envelope } = await exchange(endpoint, given);
      return understood(endpoint.reply, envelope.data, response) as never;
    },
    read: async (endpoint, ...given) => {
      const { response, envelope } = await exchange(endpoint, given);
      const data = understood(endpoint.reply, envelope.data, response) as never;
      return { data, etag: response.headers.get(etagHeader) ?? undefined };
    },
    page: async (endpoint, ...given) => {
      const { response, envelope } = await exchange(endpoint, given);
      const rows = understood(endpoint.reply, envelope.data, response) as never;
      return { rows, total: Number(response.headers.get(totalHeader) ?? Number.NaN) };
    },
    top: async (endpoint, ...given) => {
      const { response, envelope } = await exchange(endpoint, given);
      return (endpoint.top ? understood(endpoint.top, envelope, response) : {}) as never;
    },
    file: async (endpoint, ...given) => {
      const response = await send(options, endpoint, givenOf(given));
      const isFile = response.ok && response.headers.has('content-disposition');
      if (!isFile || !response.body) {
        await envelopeOf(response);
        throw unreadable(response);
      }
      const total = response.headers.get(totalHeader);
      return { total: total === null ? undefined : Number(total), body: response.body };
    },
  };
}

async function send(client: ClientOptions, endpoint: Endpoint, { input, options }: Given): Promise<Response> {
  const { params, query, body } = input;
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const address = `${withoutTrailingSlash(client.url)}${fillPath(endpoint.path, params)}${search && `?${search}`}`;
  const request: RequestInit = {
    method: endpoint.method,
    headers: headersOf(client, input, options),
    // Nobody is sent along who was not named.
    credentials: 'omit',
    redirect: 'error',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  };
  try {
    return await (client.fetch ?? fetch)(address, request);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new HeadgateError({ kind: 'unreachable', message: `${client.url} cannot be reached`, cause });
  }
}

function headersOf({ accessToken, language }: ClientOptions, { body }: LooseInput, { ifMatch }: CallOptions) {
  return {
    accept: 'application/json',
    ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    ...(language === 'zh' && { 'accept-language': 'zh-CN' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { [ifMatchHeader]: ifMatch }),
  };
}

/** What the gateway says; a refusal is thrown. */
async function envelopeOf(response: Response): Promise<Envelope> {
  const reply: unknown = await response.json().catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    return undefined;
  });
  if (!isEnvelope(reply)) throw unreadable(response);
  if (response.ok && reply.success) return reply;
  const message = typeof reply.message === 'string' && reply.message !== '' ? reply.message : `HTTP ${response.status}`;
  const code = response.headers.get(refusalHeader) ?? undefined;
  throw new HeadgateError({ kind: 'refused', message, status: response.status, code });
}

const isEnvelope = (reply: unknown): reply is Envelope =>
  typeof reply === 'object' && reply !== null && typeof (reply as Envelope).success === 'boolean';

function understood(schema: Endpoint['reply'], data: unknown, response: Response): unknown {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw unreadable(response, parsed.error);
}

function unreadable({ status, url }: Response, cause?: unknown): HeadgateError {
  return new HeadgateError({ kind: 'unreadable', message: `${url} answered what cannot be read`, status, cause });
}
