import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

const texts: ReadonlySet<string> = new Set(['username', 'token_name', 'model_name', 'group', 'reason']);

type SumRow = Readonly<Record<string, string | number>>;

interface SumTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly counters: readonly string[];
  /** Those that must be zero for a sum to go. */
  readonly emptying: readonly string[];
}

/** The first and the last second of an hour or a day that there is something to take off of. */
interface Times {
  readonly from: number;
  readonly to: number;
}

/** Takes sums off a table of PostgreSQL in one statement. Only while nobody folds. */
export async function subtractSums(database: Database, table: SumTable, rows: readonly SumRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...table.keys, ...table.counters].map(
    (column) => sql`${sql.ref(column)} ${sql.raw(typeOf(column))}`,
  );
  const times = rows.map((row) => Number(row[timeIn(table)]));
  await subtractFound(
    database,
    table,
    { from: Math.min(...times), to: Math.max(...times) },
    sql`select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (${sql.join(columns)})`,
  );
}

/**
 * The same with what a query finds, which has the columns of the table. What becomes empty is deleted as it is: to write a
 * zero first would leave two dead rows in place of one. With its times, only the months concerned are looked at.
 */
export async function subtractFound(
  database: Database,
  table: SumTable,
  { from, to }: Times,
  found: RawBuilder<unknown>,
): Promise<void> {
  const { name, keys, counters, emptying } = table;
  const ofStored = (column: string) => sql.ref(`${name}.${column}`);
  const ofGiven = (column: string) => sql.ref(`given.${column}`);
  const time = ofStored(timeIn(table));
  const isSame = sql.join(
    [
      ...keys.map((key) => sql`${ofStored(key)} = ${ofGiven(key)}`),
      sql`${time} >= ${sql.lit(from)} and ${time} <= ${sql.lit(to)}`,
    ],
    sql` and `,
  );
  const isEmptied = sql.join(
    emptying.map((counter) => sql`${ofStored(counter)} <= ${ofGiven(counter)}`),
    sql` and `,
  );
  const changes = counters.map((counter) => sql`${sql.ref(counter)} = ${ofStored(counter)} - ${ofGiven(counter)}`);
  await sql`with given as materialized (${found}),
    deleted as (delete from ${sql.table(name)} using given where ${isSame} and ${isEmptied})
    update ${sql.table(name)} set ${sql.join(changes)} from given where ${isSame} and not (${isEmptied})`.execute(
    database,
  );
}

const timeIn = ({ keys }: SumTable): string => keys.find((key) => key === 'day') ?? 'hour';

const typeOf = (column: string): string => (texts.has(column) ? 'text' : 'bigint');
