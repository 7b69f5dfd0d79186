import type { EndpointKind } from './endpoint-kinds.ts';
import { RelayError } from './relay-error.ts';

/** The client's JSON, and what the relay must know of it. The rest is passed on unread. */
export interface RelayRequest {
  readonly kind: EndpointKind;
  readonly body: Readonly<Record<string, unknown>>;
  /** As it came, for when nothing has to be changed. */
  readonly bytes: Buffer;
  readonly model: string;
  readonly isStream: boolean;
  /** The client itself asked for usage at the end of the stream. */
  readonly wantsUsage: boolean;
  /** How long the answer may be at most; undefined: the request does not say. */
  readonly completionLimit: number | undefined;
  /** How many answers are wanted. */
  readonly choices: number;
}

const mostTokens = 10_000_000;
const mostChoices = 128;

export function readRequest(kind: EndpointKind, bytes: Buffer, pathModel?: string): RelayRequest {
  const body = parseObject(bytes);
  const model = body['model'] ?? pathModel ?? kind.defaultModel;
  if (typeof model !== 'string' || model === '') throw badRequest('model is required');
  const isMissing = body[kind.input] === undefined || body[kind.input] === null;
  if (isMissing || (kind.input === 'messages' && !Array.isArray(body['messages']))) {
    throw badRequest(`field ${kind.input} is required`);
  }
  const isStream = kind.canStream && body['stream'] === true;
  const streamOptions = body['stream_options'];
  return {
    kind,
    body,
    bytes,
    model,
    isStream,
    wantsUsage: isStream && isObject(streamOptions) && streamOptions['include_usage'] === true,
    completionLimit: readLimit(body, 'max_completion_tokens') ?? readLimit(body, 'max_tokens'),
    choices: readWhole(body, 'n', 1, mostChoices) ?? 1,
  };
}

const readLimit = (body: Readonly<Record<string, unknown>>, name: string) => readWhole(body, name, 0, mostTokens);

/** A number that multiplies the price is checked before it does; null counts as absent, as upstreams take it. */
function readWhole(
  body: Readonly<Record<string, unknown>>,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw badRequest(`${name} is invalid`);
  }
  return value;
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw badRequest('The body is not valid JSON', 'invalid_json');
  }
  if (!isObject(value)) throw badRequest('The body must be a JSON object', 'invalid_json');
  return value;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
