import { isObject, type JsonObject, requireObject } from '../json-fields.ts';

/**
 * Converts Google's schemas (OpenAPI with uppercase types) to JSON Schema. Clients also use uppercase types in fields
 * declared as JSON Schema, so both are converted; lowercase types stay unchanged.
 */
export const readSchema = (value: unknown, at: string): JsonObject => schemaOf(requireObject(value, at));

function schemaOf({ nullable, ...fields }: JsonObject): JsonObject {
  const schema = Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const known = otherSpellings[name] ?? name;
    return known === 'propertyOrdering' ? [] : [[known, keywordOf(known, value)]];
  });
  const read: JsonObject = Object.fromEntries(schema);
  return nullable === true ? orNull(read) : read;
}

function keywordOf(name: string, value: unknown): unknown {
  if (name === 'type') return typeOf(value);
  if (schemaMaps.has(name) && isObject(value)) return mapped(value, nested);
  if (schemas.has(name)) return Array.isArray(value) ? value.map(nested) : nested(value);
  return counts.has(name) && typeof value === 'string' && value !== '' ? Number(value) : value;
}

const nested = (value: unknown): unknown => (isObject(value) ? schemaOf(value) : value);

const mapped = (values: JsonObject, change: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeOf);
  if (typeof value !== 'string') return value;
  return value === 'TYPE_UNSPECIFIED' ? undefined : value.toLowerCase();
}

function orNull({ type, ...schema }: JsonObject): JsonObject {
  if (typeof type !== 'string') return type === undefined ? schema : { type, ...schema };
  const values = schema['enum'];
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}

/** Keywords whose values map client-defined names to schemas. */
const schemaMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'defs']);
const schemas: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
]);
/** 64-bit numbers, which Google writes as strings. */
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);
const otherSpellings: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  property_ordering: 'propertyOrdering',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
};
