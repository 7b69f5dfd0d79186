import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import type { EndpointKind } from './endpoint-kinds.ts';
import { repeatedKey } from './json-keys.ts';
import { limitNames, refusedField, refuseOtherSpelling } from './judged-fields.ts';
import type { LongStrings } from './long-strings.ts';
import { parseForm } from './read-form.ts';
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
  /** Undefined where the body is JSON. */
  readonly form?: FormData;
  readonly headers: ClientHeaders;
  readonly model: string;
  readonly isStream: boolean;
  /** The client itself asked for usage at the end of the stream. */
  readonly wantsUsage: boolean;
  /** How long the answer may be at most; undefined: the request does not say. */
  readonly completionLimit: number | undefined;
  /** How many answers or pictures are wanted. */
  readonly choices: number;
  /** How many answers are made to each prompt, and paid for, those that are thrown away included. */
  readonly tries: number;
  /** How many prompts there are in it. */
  readonly prompts: number;
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
  return requestOf(kind, { bytes, headers, body: parseObject(bytes) }, pathModel);
}

/** A form is read here, and written anew for the upstream. */
export async function readForm(kind: EndpointKind, bytes: Buffer, headers: ClientHeaders): Promise<RelayRequest> {
  const { form, fields } = await parseForm(bytes, String(headers['content-type'] ?? ''));
  return requestOf(kind, { bytes, headers, form, body: fields }, undefined);
}

function requestOf(
  kind: EndpointKind,
  read: Pick<RelayRequest, 'body' | 'bytes' | 'headers' | 'form'>,
  pathModel: string | undefined,
): RelayRequest {
  const { body } = read;
  const model = body['model'] ?? pathModel ?? kind.defaultModel;
  if (typeof model !== 'string' || model === '') throw badRequest('model is required');
  const isMissing = body[kind.input] === undefined || body[kind.input] === null;
  if (isMissing || (kind.input === 'messages' && !Array.isArray(body['messages']))) {
    throw badRequest(`field ${kind.input} is required`);
  }
  const isStream = kind.canStream && readStream(body);
  const streamOptions = body['stream_options'];
  const choices = readWhole(body, 'n', 1, mostChoices) ?? 1;
  return {
    ...{ kind, model, isStream, choices, ...read },
    wantsUsage: isStream && isObject(streamOptions) && streamOptions['include_usage'] === true,
    completionLimit: readLimit(body),
    tries: Math.max(choices, readWhole(body, 'best_of', 1, mostChoices) ?? 1),
    prompts: promptsIn(body, kind),
  };
}

/** What is neither true nor false here may be either for the upstream. */
function readStream({ stream }: JsonObject): boolean {
  if (stream === undefined || stream === null || typeof stream === 'boolean') return stream === true;
  throw badRequest('stream is invalid');
}

/** The largest of those given, as each is obeyed somewhere. Zero is no limit: many take it for an absent one. */
function readLimit(body: JsonObject): number | undefined {
  let limit = 0;
  let isObeyedByAll = false;
  for (const name of limitNames) {
    const value = readWhole(body, name, 0, mostTokens);
    if (value === undefined) continue;
    limit = Math.max(limit, value);
    isObeyedByAll ||= value > 0 && (name === 'max_tokens' || name === 'max_completion_tokens');
  }
  return isObeyedByAll ? limit : undefined;
}

/** Each text of a list, and each list of tokens, is a prompt of its own; a list of tokens is one. */
function promptsIn({ prompt }: JsonObject, { input }: EndpointKind): number {
  if (input !== 'prompt' || !Array.isArray(prompt)) return 1;
  return Math.max(1, prompt.filter((item) => typeof item !== 'number').length);
}

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
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8', 'invalid_json');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON', 'invalid_json');
  }
  if (!isObject(value)) throw badRequest('The body must be a JSON object', 'invalid_json');
  // The bytes are passed on as they are: an upstream that takes the first of two, or any case, must read what is read here.
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw refusedField(repeated, `${repeated} is given twice`);
  for (const name of Object.keys(value)) refuseOtherSpelling(name);
  return value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
