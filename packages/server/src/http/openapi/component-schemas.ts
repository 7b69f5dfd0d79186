import { collectReferences, jsonSchemas } from './components.ts';
import { schemaNames } from './contract-schemas.ts';
import { type Operation, operations } from './operations.ts';
import { refTo, type Schema, type Schemas } from './schema.ts';
import { type AnySchema, nameObjects, pascalCase } from './schema-names.ts';
import { schemaTexts } from './texts/schema-texts.ts';
import { sharedFields } from './texts/shared-fields.ts';

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

/** Components of the document, and the schemas of each operation in terms of them. */
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
