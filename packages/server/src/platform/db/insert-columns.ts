import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Minimum number of rows for which this method is faster. */
export const columnInsertThreshold = 128;

export interface TypedColumn {
  readonly name: string;
  /** PostgreSQL type name. */
  readonly type: string;
}

/**
 * Inserts many rows into a PostgreSQL table with one array per column, so that the statement is the same for any
 * number of rows. With one parameter per value, parsing and planning would take as long as storing.
 */
export async function insertColumns(
  database: Database,
  table: string,
  columns: readonly TypedColumn[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const lists = columns.map(({ type }, index) => sql`${rows.map((row) => row[index])}::${sql.raw(type)}[]`);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) select * from unnest(${sql.join(lists)})`.execute(database);
}

/** Columns typed as bigint or text by the values of a row. */
export const inferColumns = (names: readonly string[], row: readonly unknown[]): readonly TypedColumn[] =>
  names.map((name, index) => ({ name, type: typeof row[index] === 'number' ? 'bigint' : 'text' }));
