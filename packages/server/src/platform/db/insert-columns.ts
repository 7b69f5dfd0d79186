import { sql } from 'kysely';
import type { Database } from './database.ts';

/** From so many rows on it is worth it. */
export const manyRows = 128;

export interface TypedColumn {
  readonly name: string;
  /** PostgreSQL's name of it. */
  readonly type: string;
}

/**
 * Many rows into a table of PostgreSQL, with a list of values for each column: the statement is the same for any number of rows.
 * One with every value by itself takes as long to read and plan as its rows take to store.
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

/** Columns of whole numbers and of texts, as the values of a row show. */
export const columnsLike = (names: readonly string[], row: readonly unknown[]): readonly TypedColumn[] =>
  names.map((name, index) => ({ name, type: typeof row[index] === 'number' ? 'bigint' : 'text' }));
