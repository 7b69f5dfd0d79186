import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

const built = new WeakMap<object, Map<string, CompiledQuery>>();

/** Builds frequent statements once under a name; later runs only replace the values. */
export async function runCachedStatement(
  database: Database,
  name: string,
  values: readonly unknown[],
  build: () => Compilable,
): Promise<void> {
  const { adapter } = database.getExecutor();
  const known = built.get(adapter) ?? new Map<string, CompiledQuery>();
  built.set(adapter, known);
  const statement = known.get(name) ?? checked(build().compile(), name, values);
  known.set(name, statement);
  await database.executeQuery({ ...statement, parameters: values });
}

/** Guards against values in the wrong order, which would be stored in the wrong columns. */
function checked(statement: CompiledQuery, name: string, values: readonly unknown[]): CompiledQuery {
  const isSame = statement.parameters.every((value, index) => Object.is(value, values[index]));
  if (!isSame || statement.parameters.length !== values.length)
    throw new Error(`The values of statement ${name} are in the wrong order.`);
  return statement;
}

/**
 * Few batch sizes, so that few statements are built and cached. The largest is limited by the number of parameters per
 * statement.
 */
const sizes = [128, 32, 8, 2, 1] as const;

/** Splits rows into batches of those sizes. */
export function splitIntoBatches<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let start = 0; start < rows.length; ) {
    const size = sizes.find((each) => each <= rows.length - start) ?? 1;
    parts.push(rows.slice(start, start + size));
    start += size;
  }
  return parts;
}
