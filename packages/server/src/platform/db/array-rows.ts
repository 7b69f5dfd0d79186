import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** The columns of a row in the order in which they were asked for. */
export type ArrayRow = readonly unknown[];

type ReadArrays = (query: CompiledQuery) => ArrayRow[] | Promise<ArrayRow[]>;

const readers = new WeakMap<Kysely<Schema>, ReadArrays>();

/** Says how arrays are read from a database, when it is opened. */
export const readsArrays = (database: Kysely<Schema>, read: ReadArrays): void => void readers.set(database, read);

/** Reads rows as arrays: to make an object of each takes longer than to read it, which tells where there are millions. */
export async function arraysOf(database: Kysely<Schema>, query: Compilable): Promise<readonly ArrayRow[]> {
  const read = readers.get(database);
  if (!read) throw new Error('The database was not opened for reading arrays');
  return read(query.compile());
}
