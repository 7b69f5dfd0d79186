import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Columns of a row in the selected order. */
export type ArrayRow = readonly unknown[];

type ReadArrays = (query: CompiledQuery) => ArrayRow[] | Promise<ArrayRow[]>;

const readers = new WeakMap<Kysely<Schema>, ReadArrays>();

/** Registers how a database reads rows as arrays. */
export const registerArrayReader = (database: Kysely<Schema>, read: ReadArrays): void =>
  void readers.set(database, read);

/** Reads rows as arrays, because creating objects takes longer than reading, which matters for millions of rows. */
export async function readArrays(database: Kysely<Schema>, query: Compilable): Promise<readonly ArrayRow[]> {
  const read = readers.get(database);
  if (!read) throw new Error('The database was not opened for reading arrays');
  return read(query.compile());
}
