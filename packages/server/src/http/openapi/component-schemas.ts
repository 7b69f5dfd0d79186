import { apiTables, type Endpoint } from '@headgate/contract';
import { z } from 'zod';
import { schemaNames } from './contract-schemas.ts';
import { refName, refTo, type Schema, type Schemas } from './schema.ts';
import { type AnySchema, definitionOf, nameObjects, pascalCase } from './schema-names.ts';
import { resourceTexts } from './texts/resource-texts.ts';
import { schemaTexts } from './texts/schema-texts.ts';
import { sharedFields } from './texts/shared-fields.ts';
import type { FieldTexts, OperationText } from './texts/types.ts';

/** The schemas of one operation; objects in them are references to components. */
export interface OperationSchemas {
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly data?: Schema;
  readonly top?: Schema;
}

const suffixes = { params: 'Params', query: 'Query', body: 'Request', top: 'Outcome', reply: 'Data' } as const;
type Part = keyof typeof suffixes;
type Side = 'input' | 'output';

const sideOf = (part: Part): Side => (part === 'top' || part === 'reply' ? 'output' : 'input');

const partName = ({ id }: Operation, part: Part): string => `${pascalCase(id)}${suffixes[part]}`;

/** Parts of an operation that have a schema; undefined data is left out. */
function partsOf({ endpoint }: Operation): (readonly [part: Part, schema: AnySchema])[] {
  return (Object.keys(suffixes) as Part[]).flatMap((part) => {
    const schema = endpoint[part];
    return schema && schema.def.type !== 'undefined' ? [[part, schema] as const] : [];
  });
}

function nameAll(): ReadonlyMap<AnySchema, string> {
  const names = new Map<AnySchema, string>(schemaNames);
  const seen = new Set<AnySchema>();
  for (const [schema, name] of schemaNames) nameObjects(schema, name, names, seen);
  for (const operation of operations)
    for (const [part, schema] of partsOf(operation)) nameObjects(schema, partName(operation, part), names, seen);
  return names;
}

/** Adds a description to every property. A missing description is reported by a test. */
function describe(name: string, { default: _, ...schema }: Schema): Schema {
  const text = schemaTexts[name];
  const fields = { ...sharedFields, ...text?.fields };
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]) => [
    key,
    { ...property, description: fields[key] ?? fixedValue(property) },
  ]);
  return {
    ...schema,
    ...(text && { description: text.description }),
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
  };
}

const fixedValue = (property: Schema): string | undefined =>
  typeof property.const === 'string' ? `Always \`${property.const}\`.` : undefined;

interface ApiSchemas {
  readonly components: Schemas;
  readonly ofOperation: (operation: Operation) => OperationSchemas;
}

/** Components of the document, and the schemas of each operation that refer to them. */
export function apiSchemas(): ApiSchemas {
  const names = new Map(nameAll());
  const parts = operations.flatMap((operation) => partsOf(operation).map((each) => [operation, ...each] as const));
  // Parts that are not objects, such as arrays, are converted under a temporary name and written inline.
  for (const [operation, part, schema] of parts)
    if (!names.has(schema)) names.set(schema, `inline ${partName(operation, part)}`);
  const sides = { input: jsonSchemas(names, 'input'), output: jsonSchemas(names, 'output') };

  const inline = (part: Part, schema: AnySchema): Schema => {
    const name = names.get(schema) ?? '';
    const converted = sides[sideOf(part)][name] ?? {};
    const isParameters = part === 'params' || part === 'query';
    return !isParameters && converted.properties ? { $ref: refTo(name) } : converted;
  };
  const usedOn = (side: Side): Schemas => {
    const roots = parts.filter(([, part]) => sideOf(part) === side).map(([, part, schema]) => inline(part, schema));
    const used = [...collectReferences(roots, sides[side])];
    return Object.fromEntries(used.map((name) => [name, describe(name, sides[side][name] ?? {})]));
  };
  return {
    components: merged(usedOn('input'), usedOn('output')),
    ofOperation: (operation) =>
      Object.fromEntries(
        partsOf(operation).map(([part, schema]) => [part === 'reply' ? 'data' : part, inline(part, schema)]),
      ),
  };
}

/** Merges input and output schemas, sorted by name. A name must have the same schema on both sides. */
function merged(input: Schemas, output: Schemas): Schemas {
  const differing = Object.keys(input).find(
    (name) => output[name] && JSON.stringify(input[name]) !== JSON.stringify(output[name]),
  );
  if (differing !== undefined)
    throw new Error(`Schema ${differing} differs between requests and responses: give them different names`);
  return Object.fromEntries(Object.entries({ ...input, ...output }).sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Direction = 'input' | 'output';

/** JSON Schemas of named zod schemas, which refer to each other by name. */
function jsonSchemas(named: ReadonlyMap<AnySchema, string>, io: Direction): Record<string, Schema> {
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
  const def = definitionOf(zodSchema);
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
function collectReferences(schema: unknown, schemas: Readonly<Record<string, Schema>>, found = new Set<string>()) {
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

/** One row of the API tables with its description. */
export interface Operation {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly tag: string;
  readonly text: OperationText;
  readonly params: FieldTexts;
  readonly query: FieldTexts;
}

interface AnyResource {
  readonly tag: string;
  readonly params?: FieldTexts;
  readonly query?: FieldTexts;
  readonly operations: Readonly<Record<string, OperationText>>;
}

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Every operation of the API, in the order of the tables. */
export const operations: readonly Operation[] = Object.entries(apiTables).flatMap(([table, rows]) => {
  const {
    tag,
    params = {},
    query = {},
    operations: texts,
  }: AnyResource = resourceTexts[table as keyof typeof apiTables];
  return Object.entries<Endpoint>(rows).map(([row, endpoint]) => {
    const text = texts[row] as OperationText;
    return {
      id: `${table}${capitalize(row)}`,
      endpoint,
      tag: text.tag ?? tag,
      text,
      params,
      query: { ...query, ...text.query },
    };
  });
});
