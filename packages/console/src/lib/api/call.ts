import {
  type Data,
  type Endpoint,
  type EnvelopeFields,
  fillPath,
  type Input,
  statusApi,
  stripTrailingSlash,
  totalHeader,
  totalTruncatedHeader,
} from '@headgate/contract';
import { currentLanguage } from '../../i18n/language.ts';
import { translate } from '../../i18n/translate.ts';
import { currentUser } from '../account/session.ts';
import { showMessage } from '../page/messages.ts';
import { CallFailure, isProxyError } from './failure.ts';
import { logFailure } from './log-failure.ts';
import { reportPossibleOutage } from './reachable.ts';
import { readResponse } from './read-response.ts';

/** Base URL of another server with the same API, set at build time. Default: same origin. */
const server = stripTrailingSlash(import.meta.env['VITE_SERVER'] ?? '');

interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
  /** Nodes that did not confirm a change in time; also listed in the message. */
  readonly unconfirmed?: unknown;
}

export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an endpoint of the contract and returns its data. Throws CallFailure otherwise. */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Data<E>> {
  const { envelope } = await sendRequest(endpoint, input as CallInput, options);
  return parseData(endpoint.reply, envelope.data) as Data<E>;
}

/** Sends a change whose response data is not needed; the server may omit it. */
export async function callWithoutData<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<void> {
  await sendRequest(endpoint, input as CallInput, options);
}

/** Calls an endpoint that returns top-level fields other than `data`. Returns those fields and the message. */
export async function callWithEnvelope<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<EnvelopeFields<E> & { readonly message: string; readonly data: Data<E> | undefined }> {
  const { envelope } = await sendRequest(endpoint, input as CallInput, options);
  const isEmpty = envelope.data === undefined || envelope.data === null;
  const data = isEmpty ? undefined : (parseData(endpoint.reply, envelope.data) as Data<E>);
  const top = endpoint.top ? (parseData(endpoint.top, envelope) as object) : {};
  // Validated by the endpoint's schemas; TypeScript cannot type a spread of two generics.
  return { ...top, message: envelope.message, data } as never;
}

/** One page of a list, with the total if the server sends it. */
export async function callList<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<{ readonly rows: Data<E>; readonly total: number | undefined; readonly hasMore: boolean }> {
  const { envelope, response } = await sendRequest(endpoint, input as CallInput, options);
  const total = response.headers.get(totalHeader);
  return {
    rows: parseData(endpoint.reply, envelope.data) as Data<E>,
    total: total === null ? undefined : Number(total),
    hasMore: response.headers.get(totalTruncatedHeader) === 'true',
  };
}

/** A streamed file. */
export interface FileResponse {
  readonly name: string;
  /** Number of rows in the complete file. */
  readonly total: number | undefined;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Requests a file. Errors are thrown as CallFailure. */
export async function callFile<E extends Endpoint & { readonly file: true }>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<FileResponse> {
  const wasSignedIn = currentUser() !== undefined;
  const response = await send(endpoint, input as CallInput, options);
  const isFile = response.ok && response.headers.get('content-disposition') !== null && response.body !== null;
  if (!isFile) {
    // An error envelope contains the reason. Any other response means that the server does not support this export.
    if (response.status !== 404) await parseEnvelope(response, wasSignedIn);
    throw logFailure(new CallFailure('malformed', 200, translate('This server does not support exports')));
  }
  const total = response.headers.get(totalHeader);
  return {
    name: /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '',
    total: total === null ? undefined : Number(total),
    body: response.body as FileResponse['body'],
  };
}

/** Calls an endpoint and returns the complete response. */
export async function sendRequest(endpoint: Endpoint, parts: CallInput, options: CallOptions = {}) {
  const wasSignedIn = currentUser() !== undefined;
  const response = await send(endpoint, parts, options);
  const envelope = await parseEnvelope(response, wasSignedIn);
  if (envelope.unconfirmed !== undefined && envelope.message !== '') showMessage('warning', envelope.message);
  return { envelope, response };
}

async function parseEnvelope(response: Response, wasSignedIn: boolean): Promise<Envelope> {
  const reply: unknown = await response.json().catch(() => undefined);
  if (!response.ok)
    throw logFailure(
      new CallFailure('http', response.status, messageOf(reply) ?? `HTTP ${response.status}`, wasSignedIn),
    );
  if (!isEnvelope(reply)) throw logFailure(malformed());
  if (!reply.success)
    throw logFailure(new CallFailure('refused', response.status, messageOf(reply) ?? withoutMessage()));
  return reply;
}

async function send(
  endpoint: Endpoint,
  { params, query, body }: CallInput,
  { signal, headers }: CallOptions,
): Promise<Response> {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  const address = server + fillPath(endpoint.path, params) + (search && `?${search}`);
  try {
    return await fetch(address, {
      method: endpoint.method,
      credentials: server === '' ? 'same-origin' : 'include',
      headers: {
        'accept-language': currentLanguage() === 'zh' ? 'zh-CN' : 'en',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportPossibleOutage();
    throw logFailure(unreachable());
  }
}

/** Probes the gateway. Any response from the gateway itself counts as reachable. */
export async function isGatewayReachable(): Promise<boolean> {
  const response = await fetch(server + statusApi.status.path, { credentials: 'omit', cache: 'no-store' }).catch(
    () => undefined,
  );
  return response !== undefined && !isProxyError(response.status);
}

export function parseData(schema: Endpoint['reply'], data: unknown): unknown {
  const reply = readResponse(schema, data);
  if (!reply) throw logFailure(malformed());
  return reply.data;
}

const withoutMessage = () => translate('The server rejected the request without giving a reason');

const malformed = () => new CallFailure('malformed', 200, translate('The server sent an invalid response'));

const unreachable = () =>
  new CallFailure('network', 0, translate('The server cannot be reached. Check the connection and try again.'));

const isEnvelope = (reply: unknown): reply is Envelope =>
  typeof reply === 'object' && reply !== null && 'success' in reply && 'message' in reply;

const messageOf = (reply: unknown): string | undefined =>
  isEnvelope(reply) && reply.message !== '' ? reply.message : undefined;

/** Sends a chat request to the relay with an API token instead of the session. Returns the streamed response. */
export const relayChat = (key: string, body: object, signal: AbortSignal): Promise<Response> =>
  fetch(`${server}/v1/chat/completions`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });

/** Release service, set at build time. */
const releaseService: string =
  import.meta.env['VITE_RELEASE_SERVICE'] ?? 'https://api.github.com/repos/headgate/headgate/releases/latest';

export interface Release {
  readonly tag_name: string;
  readonly body: string;
}

/** Calls a public service without credentials. */
export async function readLatestRelease(): Promise<Release> {
  const response = await fetch(releaseService, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => {
    throw logFailure(unreachable());
  });
  // Set to 200, because a 401 or 429 from that service says nothing about this session.
  if (!response.ok) throw logFailure(new CallFailure('malformed', 200, `HTTP ${response.status}`));
  const { tag_name, body } = (await response.json().catch(() => ({}))) as Partial<Release>;
  return { tag_name: String(tag_name ?? ''), body: String(body ?? '') };
}
