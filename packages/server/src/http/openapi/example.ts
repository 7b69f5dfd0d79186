import { refName, type Schema, type Schemas } from './schema.ts';
import { sharedExamples } from './texts/shared-examples.ts';
import type { SchemaTexts } from './texts/types.ts';

interface Source {
  readonly schemas: Schemas;
  readonly texts: SchemaTexts;
}

/**
 * A realistic value for a schema: given examples first, then shared examples by field name, then a value derived from
 * the schema.
 */
export function buildExample(schema: Schema, source: Source, field = ''): unknown {
  if (schema.$ref !== undefined) return componentExample(refName(schema.$ref), source, field);
  if ('const' in schema) return schema.const;
  const shared = sharedExamples[field];
  if (shared !== undefined && isOfType(shared, schema)) return shared;
  const [option] = schema.oneOf ?? schema.anyOf ?? [];
  if (option) return buildExample(option, source, field);
  if (schema.enum) return schema.enum.find((value) => value !== '');
  if (schema.items) return [buildExample(schema.items, source, field)];
  if (schema.properties) return objectExample(schema.properties, {}, source);
  return schema.default ?? plainExample(schema);
}

function componentExample(name: string, source: Source, field: string): unknown {
  const schema = source.schemas[name];
  if (schema?.properties) return objectExample(schema.properties, source.texts[name]?.example ?? {}, source);
  return schema ? buildExample(schema, source, field) : undefined;
}

export function objectExample(
  properties: Readonly<Record<string, Schema>>,
  given: Readonly<Record<string, unknown>>,
  source: Source,
): Record<string, unknown> {
  const entries = Object.entries(properties).map(([key, property]) => [
    key,
    key in given ? given[key] : buildExample(property, source, key),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

function isOfType(value: unknown, schema: Schema): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  const types = typesOf(schema);
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}

const plainExamples: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
  null: null,
};

const plainExample = (schema: Schema): unknown => plainExamples[typesOf(schema)[0] ?? 'null'];
