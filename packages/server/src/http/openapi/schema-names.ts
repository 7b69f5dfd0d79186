import type { z } from 'zod';

export type AnySchema = z.core.$ZodType;

type SchemaNames = Map<AnySchema, string>;

/** Definition of any schema that contains others. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, AnySchema>>;
  readonly options?: readonly AnySchema[];
  readonly element?: AnySchema;
  readonly innerType?: AnySchema;
  readonly valueType?: AnySchema;
  readonly in?: AnySchema;
  readonly out?: AnySchema;
  readonly values?: readonly unknown[];
}

// zod's types do not name the fields of each kind of schema.
export const definitionOf = (schema: AnySchema): Definition => schema._zod.def as unknown as Definition;

export const pascalCase = (text: string): string =>
  text.replace(/(?:^|_)([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Names every object schema inside `schema`, so that each becomes one component. The name is the given one, or the
 * name of the containing schema plus the field. Schemas that already have a name keep it.
 */
export function nameObjects(schema: AnySchema, name: string, names: SchemaNames, seen: Set<AnySchema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const definition = definitionOf(schema);
  if (definition.shape && !names.has(schema)) names.set(schema, name);
  const ownName = names.get(schema) ?? name;
  for (const [suffix, child] of childrenOf(definition)) nameObjects(child, `${ownName}${suffix}`, names, seen);
}

function childrenOf({ shape, options, ...rest }: Definition): (readonly [suffix: string, child: AnySchema])[] {
  if (shape) return Object.entries(shape).map(([key, child]) => [pascalCase(key), child]);
  if (options) return options.map((option) => [optionSuffix(option), option]);
  return [rest.element, rest.innerType, rest.valueType, rest.in, rest.out]
    .filter((child) => child !== undefined)
    .map((child) => ['', child]);
}

/** Suffix that distinguishes the options of a union: the value of the first field, or its name. */
function optionSuffix(option: AnySchema): string {
  const [first] = Object.entries(definitionOf(option).shape ?? {});
  if (!first) return '';
  const [key, field] = first;
  const [value] = definitionOf(field).values ?? [];
  return pascalCase(typeof value === 'string' ? value : key);
}
