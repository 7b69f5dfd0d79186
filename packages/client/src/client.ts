import {
  type Data,
  type Endpoint,
  type EnvelopeFields,
  etagHeader,
  type Input,
  ifMatchHeader,
  totalHeader,
  totalTruncatedHeader,
} from '@headgate/contract';
import {
  type ClientOptions,
  endpointPath,
  queryString,
  type ResolvedOptions,
  resolveOptions,
  type UntypedInput,
} from './client-options.ts';
import { type CallResponse, connectionError, envelopeOf, invalidResponseError, parseData } from './response.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** ETag from an earlier read. The update fails with `changedMeanwhile` if the resource has changed since. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of a call to this endpoint; the input is optional if the endpoint declares none. */
export type CallInput<E extends Endpoint> =
  unknown extends Input<E>
    ? [input?: Record<string, never>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

type ListEndpoint = Endpoint & { readonly list: true };
type FileEndpoint = Endpoint & { readonly file: true };

/** A streamed file. Its last line shows that it is complete. */
export interface FileResponse {
  /** Number of rows in the complete file. */
  readonly total: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
}

interface ListPage<E extends Endpoint> {
  readonly rows: Data<E>;
  readonly total: number;
  /** True if there are more rows than `total`. */
  readonly hasMore: boolean;
}

/** Typed client for the endpoints of the contract. */
export interface HeadgateClient {
  /** Returns the data of the response. */
  call<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Data<E>>;
  /**
   * Returns the data and its ETag, to be passed as `ifMatch` to an update. Resources without an ETag return
   * undefined.
   */
  read<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ data: Data<E>; etag: string | undefined }>;
  /** Returns one page of a list, with the total number of rows. */
  page<E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<ListPage<E>>;
  /** Returns the top-level fields other than `data`, such as the duration of a channel test in seconds. */
  top<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<EnvelopeFields<E>>;
  file<E extends FileEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<FileResponse>;
}

interface CallArguments {
  readonly input: UntypedInput;
  readonly options: CallOptions;
}

const callArguments = ([input = {}, options = {}]: readonly unknown[]): CallArguments => ({
  input: input as UntypedInput,
  options: options as CallOptions,
});

export function createClient(options: ClientOptions): HeadgateClient {
  const gateway = resolveOptions(options);
  const exchange = async (endpoint: Endpoint, given: readonly unknown[]) => {
    const answer = await send(gateway, endpoint, callArguments(given));
    return { answer, envelope: await envelopeOf(answer) };
  };
  return {
    call: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      return parseData(endpoint.reply, envelope.data, answer) as Data<E>;
    },
    read: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      const data = parseData(endpoint.reply, envelope.data, answer) as Data<E>;
      return { data, etag: answer.response.headers.get(etagHeader) ?? undefined };
    },
    page: async <E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      const rows = parseData(endpoint.reply, envelope.data, answer) as Data<E>;
      const total = totalOf(answer);
      if (total === undefined) throw invalidResponseError(answer, { detail: `no ${totalHeader}` });
      return { rows, total, hasMore: answer.response.headers.get(totalTruncatedHeader) === 'true' };
    },
    top: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      return (endpoint.top ? parseData(endpoint.top, envelope, answer) : {}) as EnvelopeFields<E>;
    },
    file: async (endpoint, ...given) => {
      const reply = await send(gateway, endpoint, callArguments(given));
      const { ok, headers, body } = reply.response;
      if (ok && headers.has('content-disposition') && body) return { total: totalOf(reply), body };
      await envelopeOf(reply);
      throw invalidResponseError(reply);
    },
  };
}

function totalOf({ response }: CallResponse): number | undefined {
  const total = response.headers.get(totalHeader) ?? '';
  return /^\d{1,15}$/.test(total) ? Number(total) : undefined;
}

async function send(
  gateway: ResolvedOptions,
  endpoint: Endpoint,
  { input, options }: CallArguments,
): Promise<CallResponse> {
  const { params, query, body } = input;
  const { signal } = options;
  const address = `${gateway.url}${endpointPath(endpoint, params)}`;
  const request: RequestInit = {
    method: endpoint.method,
    headers: headersOf(gateway, input, options),
    // Cookies are not sent, and redirects are not followed: the token must not reach another host.
    credentials: 'omit',
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await fetched();
  const reply: CallResponse = { response, address, signal };
  // A redirect. Browsers hide the status of a redirect that is not followed.
  const leadsElsewhere = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  if (leadsElsewhere) throw invalidResponseError(reply, { detail: 'redirects are not followed' });
  return reply;

  async function fetched(): Promise<Response> {
    // Not called as a method of `gateway`, because the browser's fetch would then throw.
    const { fetch: ask } = gateway;
    try {
      return await ask(`${address}${queryString(query)}`, request);
    } catch (cause) {
      throw connectionError(address, signal, cause);
    }
  }
}

function headersOf({ accessToken, language }: ResolvedOptions, { body }: UntypedInput, { ifMatch }: CallOptions) {
  return {
    accept: 'application/json',
    ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    ...(language === 'zh' && { 'accept-language': 'zh-CN' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { [ifMatchHeader]: ifMatch }),
  };
}
