import {
  type Data,
  type Endpoint,
  etagHeader,
  type Input,
  ifMatchHeader,
  moreHeader,
  type Top,
  totalHeader,
} from '@headgate/contract';
import { type Answer, envelopeOf, understood, unreachable, unreadable } from './answer.ts';
import { type ClientOptions, type Gateway, gatewayOf, type LooseInput, pathOf, searchOf } from './gateway.ts';

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

/** A page of a list. */
interface ListAnswer<E extends Endpoint> {
  readonly rows: Data<E>;
  readonly total: number;
  /** There are more rows than `total`. */
  readonly isMore: boolean;
}

/** Calls a gateway by rows of its contract. */
export interface HeadgateClient {
  /** The data of the answer. */
  call<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Data<E>>;
  /** The data and the ETag, where the thing has one: what a change of it is to be given as `ifMatch`. */
  read<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<{ data: Data<E>; etag: string | undefined }>;
  /** One page of a list, with the number of rows. */
  page<E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<ListAnswer<E>>;
  /** What stands beside the data, such as the seconds that a test of a channel took. */
  top<E extends Endpoint>(endpoint: E, ...given: CallInput<E>): Promise<Top<E>>;
  /** A file. */
  file<E extends FileEndpoint>(endpoint: E, ...given: CallInput<E>): Promise<FileAnswer>;
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
  const gateway = gatewayOf(options);
  const exchange = async (endpoint: Endpoint, given: readonly unknown[]) => {
    const answer = await send(gateway, endpoint, givenOf(given));
    return { answer, envelope: await envelopeOf(answer) };
  };
  return {
    call: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      return understood(endpoint.reply, envelope.data, answer) as Data<E>;
    },
    read: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      const data = understood(endpoint.reply, envelope.data, answer) as Data<E>;
      return { data, etag: answer.response.headers.get(etagHeader) ?? undefined };
    },
    page: async <E extends ListEndpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      const rows = understood(endpoint.reply, envelope.data, answer) as Data<E>;
      const total = totalOf(answer);
      if (total === undefined) throw unreadable(answer, { detail: `no ${totalHeader}` });
      return { rows, total, isMore: answer.response.headers.get(moreHeader) === 'true' };
    },
    top: async <E extends Endpoint>(endpoint: E, ...given: CallInput<E>) => {
      const { answer, envelope } = await exchange(endpoint, given);
      return (endpoint.top ? understood(endpoint.top, envelope, answer) : {}) as Top<E>;
    },
    file: async (endpoint, ...given) => {
      const answer = await send(gateway, endpoint, givenOf(given));
      const { ok, headers, body } = answer.response;
      if (ok && headers.has('content-disposition') && body) return { total: totalOf(answer), body };
      await envelopeOf(answer);
      throw unreadable(answer);
    },
  };
}

function totalOf({ response }: Answer): number | undefined {
  const total = response.headers.get(totalHeader) ?? '';
  return /^\d{1,15}$/.test(total) ? Number(total) : undefined;
}

async function send(gateway: Gateway, endpoint: Endpoint, { input, options }: Given): Promise<Answer> {
  const { params, query, body } = input;
  const { signal } = options;
  const address = `${gateway.url}${pathOf(endpoint, params)}`;
  const request: RequestInit = {
    method: endpoint.method,
    headers: headersOf(gateway, input, options),
    // Nobody is sent along who was not named, and nothing is sent to where the gateway is not.
    credentials: 'omit',
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await fetched();
  const answer: Answer = { response, address, signal };
  // Browsers do not tell the status of one that is not followed.
  const leadsElsewhere = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  if (leadsElsewhere) throw unreadable(answer, { detail: 'it leads elsewhere, and calls are not sent there' });
  return answer;

  async function fetched(): Promise<Response> {
    // By itself: that of browsers is no method of anything else.
    const { fetch: ask } = gateway;
    try {
      return await ask(`${address}${searchOf(query)}`, request);
    } catch (cause) {
      throw unreachable(address, signal, cause);
    }
  }
}

function headersOf({ accessToken, language }: Gateway, { body }: LooseInput, { ifMatch }: CallOptions) {
  return {
    accept: 'application/json',
    ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    ...(language === 'zh' && { 'accept-language': 'zh-CN' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { [ifMatchHeader]: ifMatch }),
  };
}
