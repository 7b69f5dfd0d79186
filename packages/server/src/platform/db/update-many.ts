import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Parameters per statement; the stricter of the two databases allows 32,766. */
const maxValues = 15_000;

type Values = Readonly<Record<string, unknown>>;

interface ChangedRow {
  readonly id: number;
  readonly values: Values;
}

/** Sets individual values of the same columns for many rows with one statement. */
export async function updateMany(database: Database, table: string, rows: readonly ChangedRow[]): Promise<void> {
  const columns = Object.keys(rows[0]?.values ?? {});
  if (columns.length === 0) return;
  const step = Math.max(1, Math.floor(maxValues / (columns.length + 1)));
  for (let start = 0; start < rows.length; start += step) {
    const part = rows.slice(start, start + step).map(({ id, values }) => valuesOf(id, columns, values));
    await sql`
      with changed (id, ${sql.join(columns.map((column) => sql.ref(column)))}) as (values ${sql.join(part)})
      update ${sql.table(table)}
      set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`))}
      from changed where ${sql.ref(`${table}.id`)} = changed.id`.execute(database);
  }
}

const valuesOf = (id: number, columns: readonly string[], values: Values) =>
  sql`(${sql.join([id, ...columns.map((column) => values[column])].map(typed))})`;

/** PostgreSQL treats a value in such a list as text unless it is cast. */
const typed = (value: unknown) =>
  typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`;
