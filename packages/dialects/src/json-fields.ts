import { type JsonBounds, JsonBoundsCounter, responseBounds } from './json-bounds.ts';
import { RequestProblem } from './problems.ts';

/**
 * Fields whose values are ids, names or types in every dialect. They are used as keys of sets and maps, and V8 hashes
 * strings above 16 kB by length alone: looking up thousands of strings of the same length takes minutes.
 */
export const shortFields: ReadonlySet<string> = new Set([
  'allowedFunctionNames',
  'allowed_function_names',
  'call_id',
  'detail',
  'format',
  'id',
  'item_id',
  'media_type',
  'mimeType',
  'mime_type',
  'name',
  'namespace',
  'role',
  'status',
  'tool_call_id',
  'tool_name',
  'tool_use_id',
  'type',
]);

/** Name of the model field, in every dialect whose bodies have one. */
export const modelField = 'model';

/** Field names for the text of a message or part, and its author, shared by all dialects in this package. */
export const commonMessageFields = { role: 'role', name: 'name', text: 'text' } as const;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function requireObject(value: unknown, at: string): JsonObject {
  if (isObject(value)) return value;
  throw new RequestProblem(at, `${at} must be an object`);
}

export function requireList(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new RequestProblem(at, `${at} must be a list`);
}

export function requiredText(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw new RequestProblem(at, `${at} must be text`);
}

export const optionalText = (value: unknown, at: string) => (value == null ? undefined : requiredText(value, at));

export function optionalNumber(value: unknown, at: string): number | undefined {
  if (value == null) return undefined;
  if (typeof value === 'number') return value;
  throw new RequestProblem(at, `${at} must be a number`);
}

export function optionalBoolean(value: unknown, at: string): boolean | undefined {
  if (value == null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new RequestProblem(at, `${at} must be true or false`);
}

/** Reads and validates a number by which the price is multiplied. Null counts as absent, as it does for upstreams. */
export function wholeNumberIn(body: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new RequestProblem(name, `${name} is invalid`);
  }
  return value;
}

/** Shorter texts are parsed without counting, because they are always cheap. */
const fewCharacters = 4096;

/** Parses untrusted JSON; undefined when it is invalid or exceeds the bounds. */
export function parseJson(text: string, bounds: JsonBounds = responseBounds): unknown {
  return isWithin(text, bounds) ? parsed(text) : undefined;
}

/** Parses an untrusted JSON object; undefined for anything else. */
export function parseJsonObject(text: string, bounds: JsonBounds = responseBounds): JsonObject | undefined {
  const value = parseJson(text, bounds);
  return isObject(value) ? value : undefined;
}

const isWithin = (text: string, bounds: JsonBounds): boolean =>
  text.length <= fewCharacters || new JsonBoundsCounter(bounds).add(text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
