import { isUtf8 } from 'node:buffer';
import {
  type JsonObject,
  type RequestAddress,
  type RequestOutline,
  RequestProblem,
  type Storing,
} from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import type { Earlier } from '../ports/ports.ts';
import { RelayError, toldBack } from '../ports/relay-error.ts';
import { type AudioUpload, readUpload } from './audio-upload.ts';
import { type EndpointKind, isConversation } from './endpoint-kinds.ts';
import { repeatedKey } from './json-keys.ts';
import { refusedField, refuseOtherSpelling } from './judged-fields.ts';
import type { LongStrings } from './long-strings.ts';
import { type FormField, parseForm } from './read-form.ts';

/** The client's request, and what the relay must know of it. The rest is passed on unread. */
export interface RelayRequest extends RequestOutline {
  readonly kind: EndpointKind;
  /** The JSON, or a form's fields of text. */
  readonly body: JsonObject;
  /** The body as it came, for when nothing has to be changed. */
  readonly bytes: Buffer;
  /** Strings of a large body that go out as the bytes they came as. */
  readonly longStrings?: LongStrings;
  /** Undefined where the body is JSON. */
  readonly form?: readonly FormField[];
  /** The recording in a form that is to be transcribed. */
  readonly upload?: AudioUpload;
  readonly headers: ClientHeaders;
  readonly address: RequestAddress;
  /** The name by which the client asked for the model, where that is another one. */
  readonly askedModel?: string;
  /** What was left out of it before it was priced, to be named to the client. */
  readonly leftOut?: readonly string[];
  /** How many prompts there are in it. */
  readonly prompts: number;
  /** Numbers in the body that are written with an exponent; absent: none. */
  readonly exponents?: number;
  /** What it goes on from, when that is known: read again, as part of the prompt. */
  readonly earlier?: Earlier;
  /** Set when the gateway stores the answer, unless the upstream does. */
  readonly storing?: Storing;
  /** All items that it names are known, and part of `earlier`. */
  readonly knowsItems?: boolean;
}

export function readRequest(
  asked: EndpointKind,
  bytes: Buffer,
  headers: ClientHeaders = {},
  address: RequestAddress = {},
): RelayRequest {
  const body = parseObject(bytes);
  const kind = asked.turnsInto?.(body) ?? asked;
  if (!kind.translation) return requestOf(kind, { bytes, headers, address, body: kind.unwrap?.(body) ?? body });
  const translated = inOpenAiWords(kind.translation, body, address);
  return requestOf(kind, { bytes: Buffer.from(JSON.stringify(translated)), headers, address: {}, body: translated });
}

/** A form is read here, and written anew for the upstream. */
export async function readForm(kind: EndpointKind, bytes: Buffer, headers: ClientHeaders): Promise<RelayRequest> {
  const { form, fields } = await parseForm(bytes, String(headers['content-type'] ?? ''));
  const request = requestOf(kind, { bytes, headers, form, address: {}, body: fields });
  if (kind.costs !== 'transcript') return request;
  const file = form.findLast(({ name }) => name === kind.input)?.value;
  // Some upstreams fetch an address that stands in its place, and its length is not known here.
  if (file === undefined || typeof file === 'string') throw badRequest(`${kind.input} must be an uploaded file`);
  return { ...request, upload: readUpload(file.bytes) };
}

/** Throws what the client did wrong. */
export function inOpenAiWords(
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
  // Where nothing streams, the word for it may mean something else.
  const outline = kind.dialect.readOutline(body, kind.canStream ? address : { ...address, isStream: false });
  const model = outline.model || (kind.defaultModel ?? '');
  if (model === '') throw badRequest('model is required');
  refuseMissing(body[kind.input], kind, outline);
  kind.judge?.(body);
  const isStream = kind.canStream && outline.isStream;
  const { bytes, headers, form, longStrings } = received;
  // One by one: only what is spread first is copied quickly.
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

/** What goes on from an earlier answer may have nothing to add. */
function refuseMissing(input: unknown, kind: EndpointKind, { goesOnFrom }: RequestOutline): void {
  const needsList = isConversation(kind) && kind.dialect.prompt.isList;
  if (needsList ? Array.isArray(input) : goesOnFrom || (input !== undefined && input !== null)) return;
  throw badRequest(`field ${kind.input} is required`);
}

export function parseObject(bytes: Buffer): JsonObject {
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
  // The bytes are passed on as they are: an upstream that takes the first of two, or any case, must read what is read here.
  const repeated = repeatedKey(text, value);
  if (repeated !== undefined) throw refusedField(repeated, `${toldBack(repeated)} is given twice`);
  for (const name of Object.keys(value)) refuseOtherSpelling(name);
  return value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
