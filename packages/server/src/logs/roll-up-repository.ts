import { inParts, runBuilt } from '../db/built-statement.ts';
import type { Database } from '../db/database.ts';
import {
  type Countable,
  counters,
  finestSums,
  type RollUpRow,
  type RollUpTable,
  rollUp,
  rollUpKeys,
  rollUpTables,
} from './roll-up.ts';

/** The tables differ in their keys alone, so one is written like another. */
const asWidest = (table: RollUpTable) => table as 'usage_hours';

/** Keeps the hourly sums equal to the logs; to be used in the transaction that writes the logs. */
export class RollUpRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(logs: readonly Countable[]): Promise<void> {
    const finest = finestSums(logs);
    for (const table of rollUpTables) await this.#add(table, rollUp(table, finest));
  }

  async subtract(logs: readonly Countable[]): Promise<void> {
    const finest = finestSums(logs);
    for (const table of rollUpTables) {
      const sums = rollUp(table, finest);
      await this.#add(table, sums.map(negative));
      await this.#removeEmpty(table, sums);
    }
  }

  async #add(table: RollUpTable, sums: readonly RollUpRow[]): Promise<void> {
    for (const part of inParts(sums)) {
      const values = part.flatMap((sum) => Object.values(sum));
      await runBuilt(this.#database, `${table} ${part.length}`, values, () => this.#addition(table, part));
    }
  }

  #addition(table: RollUpTable, sums: readonly RollUpRow[]) {
    return this.#database
      .insertInto(asWidest(table))
      .values(sums as Required<RollUpRow>[])
      .onConflict((conflict) =>
        conflict
          .columns([...rollUpKeys[asWidest(table)]])
          .doUpdateSet((update) =>
            Object.fromEntries(
              counters.map((counter) => [
                counter,
                update(update.ref(`${asWidest(table)}.${counter}`), '+', update.ref(`excluded.${counter}`)),
              ]),
            ),
          ),
      );
  }

  async #removeEmpty(table: RollUpTable, sums: readonly RollUpRow[]): Promise<void> {
    if (sums.length === 0) return;
    const hours = sums.map(({ hour }) => hour);
    const [first] = rollUpKeys[table];
    await this.#database
      .deleteFrom(asWidest(table))
      // The first column of the key leads to the rows, whatever the table.
      .where(first, 'in', [...new Set(sums.map((sum) => sum[first]))] as never)
      .where('hour', '>=', Math.min(...hours))
      .where('hour', '<=', Math.max(...hours))
      .where('rows', '=', 0)
      .execute();
  }
}

const negative = (sum: RollUpRow): RollUpRow => ({
  ...sum,
  rows: -sum.rows,
  quota: -sum.quota,
  prompt_tokens: -sum.prompt_tokens,
  completion_tokens: -sum.completion_tokens,
});
