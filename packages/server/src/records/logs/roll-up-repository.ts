import { sql } from 'kysely';
import { inParts, runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import { columnsLike, insertColumns, manyRows } from '../../platform/db/insert-columns.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import { failureSums, type LatencyRow, latencySums } from './request-sums.ts';
import {
  counters,
  finestSums,
  hourOf,
  isRequest,
  type RollUpTable,
  rollUp,
  rollUpKeys,
  writtenTables,
} from './roll-up.ts';
import { unpackHours, unpackTokenHours } from './stale-pack-repository.ts';
import { type SumChanges, type Summed, sumChanges } from './sum-changes.ts';
import { SumFoldRepository } from './sum-fold-repository.ts';
import { subtractSums } from './sum-subtraction-repository.ts';

/** A table of sums: which columns keep its rows apart, and which are added up, the one first that empties a row. */
interface SumTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly counters: readonly string[];
}

type ChangeTable = 'usage_changes' | 'latency_changes' | 'failure_changes';
type SumRow = Readonly<Record<string, string | number>>;

const latencyHours: SumTable = {
  name: 'latency_hours',
  keys: ['hour', 'bucket'],
  counters: ['elapsed', 'first_byte'] satisfies (keyof LatencyRow)[],
};

const failureHours: SumTable = {
  name: 'failure_hours',
  keys: ['hour', 'channel', 'model_name', 'reason', 'status'],
  counters: ['rows'],
};

/** Keeps the sums equal to the logs; to be used in the transaction that writes the logs. */
export class RollUpRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** On PostgreSQL the tables are the fold's alone: nodes that wrote the same hours would wait for each other. */
  async add(logs: readonly Summed[]): Promise<void> {
    if (isPostgres(this.#database)) await this.#append(sumChanges(logs));
    else for (const [table, rows] of sumsOf(logs, writtenTables)) await this.#add(table, rows);
  }

  /** To be called after the logs were deleted. */
  async subtract(logs: readonly Summed[]): Promise<void> {
    await new SumFoldRepository(this.#database).foldAlone();
    const requests = logs.filter(({ type }) => isRequest(type));
    await unpackHours(
      this.#database,
      requests.map(({ created_at }) => hourOf(created_at)),
    );
    await unpackTokenHours(
      this.#database,
      logs.map(({ created_at }) => hourOf(created_at)),
    );
    for (const [table, rows] of sumsOf(logs, [...writtenTables, 'user_hours'])) {
      if (isPostgres(this.#database)) {
        await subtractSums(this.#database, { ...table, emptying: emptying(table) }, rows);
        continue;
      }
      await this.#add(
        table,
        rows.map((row) => negative(row, table)),
      );
      await this.#removeEmpty(table, rows);
    }
  }

  async #append({ usage, latency, failures }: SumChanges): Promise<void> {
    await this.#appendTo('usage_changes', usage);
    await this.#appendTo('latency_changes', latency);
    await this.#appendTo('failure_changes', failures);
  }

  async #appendTo(table: ChangeTable, rows: readonly object[]): Promise<void> {
    if (rows.length >= manyRows) {
      const columns = columnsLike(Object.keys(rows[0] ?? {}), Object.values(rows[0] ?? {}));
      return insertColumns(this.#database, table, columns, rows.map(Object.values));
    }
    for (const part of inParts(rows)) {
      const values = part.flatMap((row) => Object.values(row));
      await runBuilt(this.#database, `${table} ${part.length}`, values, () =>
        this.#database.insertInto(table).values(part as never),
      );
    }
  }

  async #add(table: SumTable, rows: readonly SumRow[]): Promise<void> {
    for (const part of inParts(rows)) {
      const values = part.flatMap((row) => Object.values(row));
      await runBuilt(this.#database, `${table.name} ${part.length}`, values, () => this.#addition(table, part));
    }
  }

  #addition(table: SumTable, rows: readonly SumRow[]) {
    const sums = table.counters.map((counter) => [
      counter,
      sql`${sql.ref(`${table.name}.${counter}`)} + ${sql.ref(`excluded.${counter}`)}`,
    ]);
    return this.#database
      .insertInto(asAny(table))
      .values(rows as never)
      .onConflict((conflict) => conflict.columns(table.keys as never).doUpdateSet(Object.fromEntries(sums)));
  }

  /** Times of logs that are older than the sums of times were never added: below zero is empty too. */
  async #removeEmpty(table: SumTable, rows: readonly SumRow[]): Promise<void> {
    const [first = '', ...others] = table.keys;
    const time = [first, ...others].find((column) => column === 'hour' || column === 'day') ?? '';
    if (rows.length === 0) return;
    const times = rows.map((row) => Number(row[time]));
    const { dynamic } = this.#database;
    let emptied = this.#database
      .deleteFrom(asAny(table))
      // The first column of the key leads to the rows, whatever the table.
      .where(dynamic.ref(first), 'in', [...new Set(rows.map((row) => row[first]))])
      .where(dynamic.ref(time), '>=', Math.min(...times))
      .where(dynamic.ref(time), '<=', Math.max(...times));
    for (const counter of emptying(table)) {
      emptied = emptied.where(dynamic.ref(counter), '<=', 0);
    }
    await emptied.execute();
  }
}

/** Those of times have two numbers, and one may be zero. */
const emptying = (table: SumTable): readonly string[] =>
  table === latencyHours ? table.counters : table.counters.slice(0, 1);

/** The tables differ in their columns alone, so one is written like another. */
const asAny = ({ name }: SumTable) => name as 'usage_hours';

function sumsOf(
  logs: readonly Summed[],
  names: readonly RollUpTable[],
): readonly (readonly [SumTable, readonly SumRow[]])[] {
  const finest = finestSums(logs);
  return [
    ...names.map((name) => {
      const table = { name, keys: rollUpKeys[name], counters };
      return [table, rollUp(name, finest) as readonly SumRow[]] as const;
    }),
    [latencyHours, latencySums(logs)],
    [failureHours, failureSums(logs)],
  ];
}

const negative = (row: SumRow, { counters: added }: SumTable): SumRow => ({
  ...row,
  ...Object.fromEntries(added.map((counter) => [counter, -Number(row[counter])])),
});
