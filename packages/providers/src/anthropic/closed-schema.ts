import { isObject } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/**
 * Adds `additionalProperties: false` to every object of a schema: Claude requires it, but OpenAI's clients need not
 * send it.
 */
export function closeSchema(schema: JsonObject): JsonObject {
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedIn(name, value)]));
  return schema['type'] === 'object' && !('additionalProperties' in schema)
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** Closes the schemas in a keyword's value; defaults and examples are data and stay unchanged. */
function closedIn(keyword: string, value: unknown): unknown {
  if (namedSchemas.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, closedOr(schema)]));
  }
  if (!plainSchemas.has(keyword)) return value;
  return Array.isArray(value) ? value.map(closedOr) : closedOr(value);
}

const closedOr = (schema: unknown) => (isObject(schema) ? closeSchema(schema) : schema);

const namedSchemas = new Set(['properties', '$defs', 'definitions']);
const plainSchemas = new Set(['items', 'anyOf', 'allOf', 'oneOf']);
