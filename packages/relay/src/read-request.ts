import type { ClientHeaders, JsonObject } from '@headgate/providers';
import type { EndpointKind } from './endpoint-kinds.ts';
import type { LongStrings } from './long-strings.ts';
import { RelayError } from './relay-error.ts';

/** The client's request, and what the relay must know of it. The rest is passed on unread. */
export interface RelayRequest {
  readonly kind: EndpointKind;
  /** The JSON, or a form's fields of text. */
  readonly body: JsonObject;
  /** As it came, for when nothing has to be changed. */
  readonly bytes: Buffer;
  /** Of a large body: strings that go out as the bytes they came as. */
  readonly longStrings?: LongStrings;
  readonly contentType: string;
  readonly headers: ClientHeaders;
  readonly model: string;
  readonly isStream: boolean;
  /** The client itself asked for usage at the end of the stream. */
  readonly wantsUsage: boolean;
  /** How long the answer may be at most; undefined: the request does not say. */
  readonly completionLimit: number | undefined;
  /** How many answers or pictures are wanted. */
  readonly choices: number;
}

const mostTokens = 10_000_000;
const mostChoices = 128;

/** `pathModel` is what the address names, for when the body names none. */
export function readRequest(
  kind: EndpointKind,
  bytes: Buffer,
  headers: ClientHeaders = {},
  pathModel?: string,
): RelayRequest {
  return requestOf(kind, { bytes, headers, contentType: 'application/json', body: parseObject(bytes) }, pathModel);
}

/** A form is read twice: its fields here, its files by the upstream. */
export async function readForm(kind: EndpointKind, bytes: Buffer, headers: ClientHeaders): Promise<RelayRequest> {
  const contentType = String(headers['content-type'] ?? '');
  const form = await parseForm(bytes, contentType);
  const body: Record<string, unknown> = {};
  for (const [name, value] of form) body[fieldOf(name)] = typeof value === 'string' ? asNumber(name, value) : value;
  return requestOf(kind, { bytes, headers, contentType, body }, undefined);
}

/** The form again, with a field set to something else. */
export async function withField(request: RelayRequest, name: string, value: string) {
  const form = await parseForm(request.bytes, request.contentType);
  form.set(name, value);
  const encoded = new Response(form);
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  };
}

async function parseForm(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw badRequest('The body is not a valid form', 'invalid_form');
  }
}

/** Of several values under one name, such as pictures, each comes as `name[]`. */
const fieldOf = (name: string) => name.replace(/\[\]$/, '');

const asNumber = (name: string, value: string) => (name === 'n' && /^\d+$/.test(value) ? Number(value) : value);

function requestOf(
  kind: EndpointKind,
  read: Pick<RelayRequest, 'body' | 'bytes' | 'headers' | 'contentType'>,
  pathModel: string | undefined,
): RelayRequest {
  const { body } = read;
  const model = body['model'] ?? pathModel ?? kind.defaultModel;
  if (typeof model !== 'string' || model === '') throw badRequest('model is required');
  const isMissing = body[kind.input] === undefined || body[kind.input] === null;
  if (isMissing || (kind.input === 'messages' && !Array.isArray(body['messages']))) {
    throw badRequest(`field ${kind.input} is required`);
  }
  const isStream = kind.canStream && body['stream'] === true;
  const streamOptions = body['stream_options'];
  return {
    ...{ kind, model, isStream, ...read },
    wantsUsage: isStream && isObject(streamOptions) && streamOptions['include_usage'] === true,
    completionLimit: readLimit(body, 'max_completion_tokens') ?? readLimit(body, 'max_tokens'),
    choices: readWhole(body, 'n', 1, mostChoices) ?? 1,
  };
}

const readLimit = (body: JsonObject, name: string) => readWhole(body, name, 0, mostTokens);

/** A number that multiplies the price is checked before it does; null counts as absent, as upstreams take it. */
function readWhole(body: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw badRequest(`${name} is invalid`);
  }
  return value;
}

function parseObject(bytes: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw badRequest('The body is not valid JSON', 'invalid_json');
  }
  if (!isObject(value)) throw badRequest('The body must be a JSON object', 'invalid_json');
  return value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
