import { type Endpoint, errorCodeHeader } from '@headgate/contract';
import { HeadgateError } from './headgate-error.ts';

/** A response together with the request data that error messages need. */
export interface CallResponse {
  readonly response: Response;
  /** The response envelope. Throws if the gateway returned an error. */
  readonly address: string;
  readonly signal: AbortSignal | undefined;
}

export interface Envelope {
  readonly success: boolean;
  readonly message?: unknown;
  readonly data?: unknown;
}

export async function envelopeOf(result: CallResponse): Promise<Envelope> {
  const { response } = result;
  const reply = parseJson(await textOf(result));
  if (!isEnvelope(reply)) throw invalidResponseError(result);
  if (response.ok && reply.success) return reply;
  const message = typeof reply.message === 'string' && reply.message !== '' ? reply.message : `HTTP ${response.status}`;
  const code = response.headers.get(errorCodeHeader) ?? undefined;
  throw new HeadgateError({ kind: 'refused', message, code, ...responseFields(response) });
}

/** Validates data against the endpoint's schema; the error names the first field that does not match. */
export function parseData(schema: Endpoint['reply'], data: unknown, response: CallResponse): unknown {
  const { success, data: read, error } = schema.safeParse(data);
  if (success) return read;
  const place = error.issues[0]?.path.join('.');
  throw invalidResponseError(response, { ...(place && { detail: `at ${place}` }), cause: error });
}

interface UnreadableDetail {
  readonly detail?: string;
  readonly cause?: unknown;
}

export function invalidResponseError(
  { response, address }: CallResponse,
  { detail, cause }: UnreadableDetail = {},
): HeadgateError {
  const message = [`${address} returned an unreadable response`, detail].filter(Boolean).join(': ');
  return new HeadgateError({ kind: 'unreadable', message, ...responseFields(response), cause });
}

/** Error for a call without a complete response. An aborted call rejects with the signal's own reason. */
export function connectionError(address: string, signal: AbortSignal | undefined, cause: unknown): unknown {
  if (signal?.aborted) return signal.reason;
  return new HeadgateError({ kind: 'unreachable', message: `${address} cannot be reached`, cause });
}

async function textOf({ response, address, signal }: CallResponse): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw connectionError(address, signal, cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isEnvelope = (reply: unknown): reply is Envelope =>
  typeof reply === 'object' && reply !== null && typeof (reply as Envelope).success === 'boolean';

function responseFields({ status, headers }: Response) {
  return { status, retryAfterSeconds: parseRetryAfter(headers.get('retry-after')) };
}

/** `Retry-After` as seconds; the header holds either seconds or an HTTP date. */
function parseRetryAfter(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(Math.ceil((time - Date.now()) / 1000), 0);
}
