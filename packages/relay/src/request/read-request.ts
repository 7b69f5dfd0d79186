import { isUtf8 } from 'node:buffer';
import {
  type JsonObject,
  type ReasoningSetting,
  type RequestOutline,
  RequestProblem,
  type RequestUrlInfo,
  type StorageSettings,
} from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import type { PreviousContext } from '../ports/ports.ts';
import { RelayError, shortenName } from '../ports/relay-error.ts';
import { type AudioUpload, readUpload } from './audio-upload.ts';
import { ambiguousFieldError, rejectAlternateSpelling } from './checked-fields.ts';
import { type EndpointKind, isConversation } from './endpoint-kinds.ts';
import type { LongStrings } from './long-strings.ts';
import { type FormField, parseForm } from './read-form.ts';

/** The client's request with the fields that the relay reads. All other fields are forwarded unread. */
export interface RelayRequest extends RequestOutline {
  readonly kind: EndpointKind;
  /** The JSON, or the text fields of a form. */
  readonly body: JsonObject;
  /** The body as received, used if nothing has to change. */
  readonly bytes: Buffer;
  /** Strings of a large body that are sent as their original bytes. */
  readonly longStrings?: LongStrings;
  /** Undefined for a JSON body. */
  readonly form?: readonly FormField[];
  /** Recording to be transcribed, in a form. */
  readonly upload?: AudioUpload;
  readonly headers: ClientHeaders;
  readonly address: RequestUrlInfo;
  /** Model name in the client's request, if it differs from the model that serves it. */
  readonly requestedModel?: string;
  /** Model whose price applies, if it is not the model that serves the request. */
  readonly pricedModel?: string | undefined;
  /** Set by a suffix of the requested model name; absent: the client's own settings apply. */
  readonly reasoning?: ReasoningSetting;
  /** Fields removed before pricing, to be reported to the client. */
  readonly dropped?: readonly string[];
  /** Number of prompts in the request. */
  readonly prompts: number;
  /** Count of numbers with an exponent in the body; absent: none. */
  readonly exponents?: number;
  /** Known context that the request continues from, charged as part of the prompt. */
  readonly earlier?: PreviousContext;
  /** Set when the gateway stores the response, unless the upstream does. */
  readonly storing?: StorageSettings;
  /** True if all items that the request references are known and part of `earlier`. */
  readonly knowsItems?: boolean;
}

export function readRequest(
  requested: EndpointKind,
  bytes: Buffer,
  headers: ClientHeaders = {},
  address: RequestUrlInfo = {},
): RelayRequest {
  const body = parseBody(bytes);
  const kind = requested.turnsInto?.(body) ?? requested;
  if (!kind.translation) return buildRelayRequest(kind, { bytes, headers, address, body: kind.unwrap?.(body) ?? body });
  const translated = toOpenAiFormat(kind.translation, body, address);
  return buildRelayRequest(kind, {
    bytes: Buffer.from(JSON.stringify(translated)),
    headers,
    address: {},
    body: translated,
  });
}

/** Reads a form, which is serialized again for the upstream. */
export async function readForm(kind: EndpointKind, bytes: Buffer, headers: ClientHeaders): Promise<RelayRequest> {
  const { form, fields } = await parseForm(bytes, String(headers['content-type'] ?? ''));
  const request = buildRelayRequest(kind, { bytes, headers, form, address: {}, body: fields });
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
  address: RequestUrlInfo,
): JsonObject {
  try {
    return translation.read(body, address.model ?? '');
  } catch (error) {
    throw error instanceof RequestProblem ? badRequest(error.message) : error;
  }
}

type Received = Pick<RelayRequest, 'body' | 'bytes' | 'headers' | 'form' | 'address' | 'longStrings'>;

export function buildRelayRequest(kind: EndpointKind, received: Received): RelayRequest {
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
  // The bytes are forwarded unchanged, so an upstream that uses the first of two keys, or ignores case, must read the
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

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Returns a key that occurs twice in one object of a JSON text, at any depth; undefined if there is none. With a
 * duplicate, the parsed value has fewer keys than the text; only then are the keys compared one by one.
 */
export function findDuplicateKey(text: string, value: unknown): string | undefined {
  return namesWritten(text) === namesIn(value) ? undefined : findRepeated(text);
}

/** Number of keys in a JSON text: one pass over the characters between its strings. */
function namesWritten(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at + 1);
    else if (unit === colon) names += 1;
  }
  return names;
}

function namesIn(value: unknown): number {
  let names = 0;
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop())
    names += Array.isArray(next) ? visitItems(next, left) : visitMembers(next as JsonObject, left);
  return names;
}

function visitItems(items: readonly unknown[], left: unknown[]): 0 {
  for (const item of items) if (typeof item === 'object' && item !== null) left.push(item);
  return 0;
}

/** Unlike `Object.values`, this copies nothing; parsed JSON has no inherited keys. */
function visitMembers(object: JsonObject, left: unknown[]): number {
  let names = 0;
  for (const name in object) {
    names += 1;
    const member = object[name];
    if (typeof member === 'object' && member !== null) left.push(member);
  }
  return names;
}

function findRepeated(text: string): string | undefined {
  const search = new KeySearch();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== quote) {
      search.step(unit);
      continue;
    }
    const end = endOfString(text, at + 1);
    const repeated = search.isKey ? search.repeats(readKey(text.slice(at + 1, end))) : undefined;
    if (repeated !== undefined) return repeated;
    at = end;
  }
  return undefined;
}

class KeySearch {
  /** Keys of the open objects; undefined for arrays. */
  readonly #open: (Set<string> | undefined)[] = [];
  /** True if the next string is a key. */
  isKey = false;

  step(unit: number): void {
    if (unit === openObject) this.#open.push(new Set());
    else if (unit === openList) this.#open.push(undefined);
    else if (unit === closeObject || unit === closeList) this.#open.pop();
    else if (unit !== comma) return;
    this.isKey = this.#open.at(-1) !== undefined;
  }

  /** Returns the key if its object already has it. */
  repeats(key: string): string | undefined {
    const keys = this.#open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
    this.isKey = false;
    return undefined;
  }
}

/** Position of the closing quote: the next one without an odd number of backslashes before it. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** `"\u006dodel"` is `model` too. */
const readKey = (raw: string): string =>
  // trusted JSON: one string, without structure.
  raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
