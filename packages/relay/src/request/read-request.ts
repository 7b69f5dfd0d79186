import { isUtf8 } from 'node:buffer';
import {
  type JsonObject,
  type RequestAddress,
  type RequestOutline,
  RequestProblem,
  type StorageSettings,
} from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import type { EarlierContext } from '../ports/ports.ts';
import { RelayError, shortenName } from '../ports/relay-error.ts';
import { type AudioUpload, readUpload } from './audio-upload.ts';
import { ambiguousFieldError, rejectAlternateSpelling } from './checked-fields.ts';
import { type EndpointKind, isConversation } from './endpoint-kinds.ts';
import { findDuplicateKey } from './json-keys.ts';
import type { LongStrings } from './long-strings.ts';
import { type FormField, parseForm } from './read-form.ts';

/** The client's request with the fields that the relay reads. All other fields are passed on unread. */
export interface RelayRequest extends RequestOutline {
  readonly kind: EndpointKind;
  /** The JSON, or the text fields of a form. */
  readonly body: JsonObject;
  /** The body as received, used when nothing has to change. */
  readonly bytes: Buffer;
  /** Strings of a large body that are sent as their original bytes. */
  readonly longStrings?: LongStrings;
  /** Undefined for a JSON body. */
  readonly form?: readonly FormField[];
  /** Recording to be transcribed, in a form. */
  readonly upload?: AudioUpload;
  readonly headers: ClientHeaders;
  readonly address: RequestAddress;
  /** Model name in the client's request, if it differs from the model that serves it. */
  readonly requestedModel?: string;
  /** Fields removed before pricing, to be reported to the client. */
  readonly dropped?: readonly string[];
  /** Number of prompts in the request. */
  readonly prompts: number;
  /** Count of numbers with an exponent in the body; absent: none. */
  readonly exponents?: number;
  /** Known context that the request continues from, charged as part of the prompt. */
  readonly earlier?: EarlierContext;
  /** Set when the gateway stores the response, unless the upstream does. */
  readonly storing?: StorageSettings;
  /** True when all items that the request references are known and part of `earlier`. */
  readonly knowsItems?: boolean;
}

export function readRequest(
  asked: EndpointKind,
  bytes: Buffer,
  headers: ClientHeaders = {},
  address: RequestAddress = {},
): RelayRequest {
  const body = parseBody(bytes);
  const kind = asked.turnsInto?.(body) ?? asked;
  if (!kind.translation) return requestOf(kind, { bytes, headers, address, body: kind.unwrap?.(body) ?? body });
  const translated = toOpenAiFormat(kind.translation, body, address);
  return requestOf(kind, { bytes: Buffer.from(JSON.stringify(translated)), headers, address: {}, body: translated });
}

/** Reads a form, which is serialized again for the upstream. */
export async function readForm(kind: EndpointKind, bytes: Buffer, headers: ClientHeaders): Promise<RelayRequest> {
  const { form, fields } = await parseForm(bytes, String(headers['content-type'] ?? ''));
  const request = requestOf(kind, { bytes, headers, form, address: {}, body: fields });
  if (kind.billedBy !== 'transcript') return request;
  const file = form.findLast(({ name }) => name === kind.input)?.value;
  // Some upstreams accept a URL instead of the file, but the length of its content is unknown to the gateway.
  if (file === undefined || typeof file === 'string') throw badRequest(`${kind.input} must be an uploaded file`);
  return { ...request, upload: readUpload(file.bytes) };
}

/** Converts the body to OpenAI's format. Throws on invalid requests. */
export function toOpenAiFormat(
  translation: NonNullable<EndpointKind['translation']>,
  body: JsonObject,
  address: RequestAddress,
): JsonObject {
  try {
    return translation.read(body, address.model ?? '');
  } catch (error) {
    throw error instanceof RequestProblem ? badRequest(error.message) : error;
  }
}

type Received = Pick<RelayRequest, 'body' | 'bytes' | 'headers' | 'form' | 'address' | 'longStrings'>;

export function requestOf(kind: EndpointKind, received: Received): RelayRequest {
  try {
    return outlined(kind, received);
  } catch (error) {
    throw error instanceof RequestProblem ? badRequest(error.message) : error;
  }
}

function outlined(kind: EndpointKind, received: Received): RelayRequest {
  const { body, address } = received;
  // On endpoints that do not stream, the `stream` field may mean something else.
  const outline = kind.dialect.readOutline(body, kind.canStream ? address : { ...address, isStream: false });
  const model = outline.model || (kind.defaultModel ?? '');
  if (model === '') throw badRequest('model is required');
  rejectMissing(body[kind.input], kind, outline);
  kind.judge?.(body);
  const isStream = kind.canStream && outline.isStream;
  const { bytes, headers, form, longStrings } = received;
  // Fields are copied one by one because V8 is fast only for the first spread.
  return {
    ...outline,
    kind,
    body,
    bytes,
    headers,
    address,
    ...(form && { form }),
    ...(longStrings && { longStrings }),
    model,
    isStream,
    wantsUsage: isStream && outline.wantsUsage,
    prompts: kind.countPrompts?.(body) ?? 1,
  };
}

/** A request that continues from an earlier response may have no input. */
function rejectMissing(input: unknown, kind: EndpointKind, { previousResponse }: RequestOutline): void {
  const needsList = isConversation(kind) && kind.dialect.prompt.isList;
  if (needsList ? Array.isArray(input) : previousResponse || (input !== undefined && input !== null)) return;
  throw badRequest(`field ${kind.input} is required`);
}

export function parseBody(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8', 'invalid_json');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    // trusted JSON: the structure was counted while the body was received.
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON', 'invalid_json');
  }
  if (!isObject(value)) throw badRequest('The body must be a JSON object', 'invalid_json');
  // The bytes are passed on unchanged, so an upstream that uses the first of two keys, or ignores case, must read the
  // same value as the relay.
  const repeated = findDuplicateKey(text, value);
  if (repeated !== undefined) throw ambiguousFieldError(repeated, `${shortenName(repeated)} is given twice`);
  for (const name of Object.keys(value)) rejectAlternateSpelling(name);
  return value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
