import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { type JsonBounds, parseJson, readRetryAfter, responseBounds } from '@headgate/dialects';
import { guardedLookup, isForbiddenHost, isPublicAddress, publicLookup } from '@headgate/relay';
import { request as requestPlain } from './node-http.ts';

const defaultTimeoutMs = 5000;
const defaultMaxBytes = 262_144;

export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Buffer | object;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Limits on the structure of a JSON response. */
  readonly bounds?: JsonBounds;
  /** True for URLs that ordinary users set: https to public addresses only. */
  readonly isPublicOnly?: boolean;
}

export interface JsonResponse {
  readonly status: number;
  readonly json: unknown;
}

/** Reason why another service returned no usable response. The message never contains the request. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingFailure';
  readonly kind: 'unreachable' | 'unreadable';

  constructor(kind: OutgoingError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Any response, including errors. */
interface TextResponse {
  readonly status: number;
  readonly text: string;
  /** Seconds from Retry-After; 0 if absent. */
  readonly retryAfter: number;
}

/** Requests JSON from another service, with limited time and size and without following redirects. */
export async function requestJson(address: string, question: OutgoingRequest = {}): Promise<JsonResponse> {
  const url = allowedUrl(address, question);
  const { status, text } = await exchange(url, question);
  if (status >= 500 || (status >= 300 && status < 400)) {
    throw new OutgoingError('unreachable', `${url.host} responded with status ${status}`);
  }
  const json = parseJson(text, question.bounds ?? responseBounds);
  if (json !== undefined) return { status, json };
  throw new OutgoingError('unreadable', `${url.host} did not respond with JSON`);
}

/** The same for any response. */
export const requestText = async (address: string, question: OutgoingRequest = {}): Promise<TextResponse> =>
  exchange(allowedUrl(address, question), question);

function allowedUrl(address: string, { isPublicOnly = false }: OutgoingRequest): URL {
  const url = URL.parse(address);
  const isAllowed = url && /^https?:$/.test(url.protocol) && !isForbiddenHost(url.hostname);
  if (isAllowed && (!isPublicOnly || isPublicUrl(url))) return url;
  throw new OutgoingError('unreachable', 'the address is not allowed');
}

/** True if a URL uses https and no private address. Names are resolved to public addresses when connecting. */
export function isPublicUrl({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host));
}

function exchange(
  url: URL,
  {
    method = 'GET',
    headers,
    body,
    timeoutMs = defaultTimeoutMs,
    maxBytes = defaultMaxBytes,
    isPublicOnly,
  }: OutgoingRequest,
): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const fail = (kind: OutgoingError['kind'], message: string) => reject(new OutgoingError(kind, message));
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'Headgate', ...typeOf(body), ...headers },
      lookup: isPublicOnly ? publicLookup : guardedLookup,
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    });
    request.on('error', (error) => fail('unreachable', `${url.host} cannot be reached (${reasonOf(error)})`));
    // A server that switches protocols closes the connection without an error.
    request.on('close', () => fail('unreachable', `${url.host} did not respond`));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= maxBytes) return;
        fail('unreadable', `${url.host} sent a response that is too large`);
        request.destroy();
      });
      const { statusCode: status = 0, headers: reported } = response;
      const retryAfter = readRetryAfter(reported, Date.now()) ?? 0;
      response.on('end', () => resolve({ status, text: Buffer.concat(chunks).toString(), retryAfter }));
      response.on('error', () => fail('unreachable', `${url.host} disconnected during its response`));
    });
    request.end(body === undefined ? undefined : bytesOf(body));
  });
}

const bytesOf = (body: NonNullable<OutgoingRequest['body']>): string | Buffer =>
  Buffer.isBuffer(body) || typeof body === 'string' || body instanceof URLSearchParams
    ? plainBytes(body)
    : JSON.stringify(body);

const plainBytes = (body: string | URLSearchParams | Buffer): string | Buffer =>
  body instanceof URLSearchParams ? body.toString() : body;

function typeOf(body: OutgoingRequest['body']): Record<string, string> {
  if (body === undefined) return {};
  const length = { 'content-length': String(Buffer.byteLength(bytesOf(body))) };
  const isForm = body instanceof URLSearchParams;
  return { ...length, 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
}

const reasonOf = (error: Error & { code?: string }): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timed out' : (error.code ?? error.name);

export type Fields = Readonly<Record<string, unknown>>;

/** The object in a JSON response. */
export function jsonFields({ json }: JsonResponse): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Fields;
  throw new OutgoingError('unreadable', 'the response is not a JSON object');
}

/** A string field of the response; empty if it is missing or not a string. */
export const stringField = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
