import type { ZodMiniType } from 'zod/mini';
import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/**
 * Parses a response leniently. Other servers that follow the specification may omit fields or send null. Returns
 * undefined if the data has a different shape.
 */
export function readResponse<T>(schema: ZodMiniType<T>, data: unknown): { readonly data: T } | undefined {
  const parsed = schema.safeParse(completed(schema, data));
  return parsed.success ? { data: parsed.data } : undefined;
}

/** Fills missing fields with defaults from the schema and drops empty entries. */
function completed(schema: $ZodType, data: unknown): unknown {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case 'undefined':
      return undefined;
    case 'optional':
      return data === null ? undefined : completed(def.innerType, data);
    case 'default':
      return isReadable(def.innerType, data) ? data : undefined;
    case 'array':
      return data === null ? [] : completedRows(def.element, data);
    case 'record':
      return isRecord(data) ? readableEntries(def.valueType, data) : data;
    case 'object':
      return isRecord(data) ? completedFields(def.shape, data) : data;
    default:
      return data;
  }
}

/** Drops null rows, unless the schema allows null and their position matters. */
function completedRows(element: $ZodType, rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const saysSomething = element._zod.def.type === 'nullable';
  return rows.filter((row) => row !== null || saysSomething).map((row) => completed(element, row));
}

const completedFields = (shape: Readonly<Record<string, $ZodType>>, data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, completed(field, data[name] ?? blankOf(field, data[name]))]),
  );

/** Drops entries with invalid values. */
const readableEntries = (valueType: $ZodType, data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => isReadable(valueType, value)));

const isReadable = (schema: $ZodType, data: unknown): boolean =>
  data !== null && data !== undefined && (schema as ZodMiniType).safeParse(data).success;

const blanks: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false };

const blankOf = (schema: $ZodType, otherwise: unknown): unknown => blanks[schema._zod.def.type] ?? otherwise;

const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);
