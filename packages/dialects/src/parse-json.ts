import { type JsonBounds, JsonBoundsCounter, responseBounds } from './json-bounds.ts';
import { isObject, type JsonObject } from './json-fields.ts';

/** Shorter texts are parsed without counting, because they cannot be expensive. */
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
