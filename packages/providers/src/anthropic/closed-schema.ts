import { isObject } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Claude requires `additionalProperties: false` on every object of a schema; OpenAI's clients need not send it. */
export function closedSchema(schema: JsonObject): JsonObject {
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedIn(name, value)]));
  return schema['type'] === 'object' && !('additionalProperties' in schema)
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** A keyword's value with its schemas closed; defaults and examples are data. */
function closedIn(keyword: string, value: unknown): unknown {
  if (namedSchemas.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, closedOr(schema)]));
  }
  if (!plainSchemas.has(keyword)) return value;
  return Array.isArray(value) ? value.map(closedOr) : closedOr(value);
}

const closedOr = (schema: unknown) => (isObject(schema) ? closedSchema(schema) : schema);

const namedSchemas = new Set(['properties', '$defs', 'definitions']);
const plainSchemas = new Set(['items', 'anyOf', 'allOf', 'oneOf']);
