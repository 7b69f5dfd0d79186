import { z } from 'zod';
import { refName, refTo, type Schema } from './schema.ts';
import type { AnySchema } from './schema-names.ts';

type Direction = 'input' | 'output';

/** JSON Schemas of named zod schemas, which refer to each other by name. */
export function jsonSchemas(named: ReadonlyMap<AnySchema, string>, io: Direction): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  const [duplicate] = [...named.values()].filter((name, index, all) => all.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`Two schemas are named ${duplicate}`);
  for (const [schema, id] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: refTo, override: useParsedNumber });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema, $id, ...rest } = schema as Schema & { $schema?: string; $id?: string };
      return [name, tidy(rest, io)];
    }),
  );
}

/** Query strings carry integers as text; the document shows the integer with its bounds. */
function useParsedNumber({ zodSchema, jsonSchema }: { zodSchema: AnySchema; jsonSchema: object }): void {
  const { def } = zodSchema._zod as unknown as { def: { type: string; in?: AnySchema; out?: AnySchema } };
  if (def.type !== 'pipe' || def.in?._zod.def.type !== 'number' || !def.out) return;
  const { $schema, ...parsed } = z.toJSONSchema(def.out);
  Object.assign(jsonSchema, parsed);
}

const isUnbounded = (bound: unknown): boolean => bound === Number.MAX_SAFE_INTEGER || bound === Number.MIN_SAFE_INTEGER;

/** Drops bounds that every integer has, joins enums, and writes `null` as a type; responses carry no defaults. */
function tidy(schema: Schema, io: Direction): Schema {
  const { minimum, maximum, pattern, additionalProperties, ...rest } = schema;
  const tidied: Schema = {
    ...rest,
    ...(minimum !== undefined && !isUnbounded(minimum) && { minimum }),
    ...(maximum !== undefined && !isUnbounded(maximum) && { maximum }),
    // Many tools read patterns without the Unicode flag and fail on property escapes.
    ...(pattern !== undefined && !pattern.includes('\\p{') && { pattern }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: tidy(additionalProperties, io) }),
    ...(schema.items && { items: tidy(schema.items, io) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, property]) => [key, tidy(property, io)]),
      ),
    }),
    ...(schema.enum?.every((value) => Number.isInteger(value)) && { type: 'integer' }),
  };
  if (io === 'output') delete tidied.default;
  return joinOptions(tidied, io);
}

function joinOptions({ anyOf, oneOf, ...rest }: Schema, io: Direction): Schema {
  if (oneOf) return { ...rest, oneOf: oneOf.map((option) => tidy(option, io)) };
  if (!anyOf) return rest;
  const options = anyOf.map((option) => tidy(option, io));
  const values = options.flatMap((option) => option.enum ?? ('const' in option ? [option.const] : [Number.NaN]));
  if (values.every((value) => typeof value === 'string')) return { ...rest, type: 'string', enum: values };
  const [first, second] = options;
  if (options.length === 2 && typeof first?.type === 'string' && second?.type === 'null' && !first.enum)
    return { ...rest, ...first, type: [first.type, 'null'] };
  return { ...rest, anyOf: options };
}

/** Names of the components that a schema refers to, directly or through others. */
export function collectReferences(
  schema: unknown,
  schemas: Readonly<Record<string, Schema>>,
  found = new Set<string>(),
) {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key !== '$ref' || typeof value !== 'string') collectReferences(value, schemas, found);
    else if (!found.has(refName(value))) {
      found.add(refName(value));
      collectReferences(schemas[refName(value)], schemas, found);
    }
  }
  return found;
}
