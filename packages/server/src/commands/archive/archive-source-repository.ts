import { logType } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { currentTableSql } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ArchiveInfo, Column } from './archive-contents.ts';
import type { ArchiveSource } from './archive-text.ts';
import { archivedTable, type StoredRow } from './archived-tables.ts';

const rowsAtOnce = 2000;

interface Reading {
  readonly facts: ArchiveInfo;
  readonly schema: ReadonlyMap<string, readonly Column[]>;
  readonly open: (sealed: string) => string;
}

/** Reads all rows in one transaction, from a database that is not being changed or from a snapshot. */
export class ArchiveSourceRepository implements ArchiveSource {
  readonly #database: Database;
  readonly facts: ArchiveInfo;
  readonly schema: ReadonlyMap<string, readonly Column[]>;
  readonly open: (sealed: string) => string;

  constructor(database: Database, { facts, schema, open }: Reading) {
    this.#database = database;
    this.facts = facts;
    this.schema = schema;
    this.open = open;
  }

  /** Highest id ever used, so that the id of a deleted row is never reused. */
  async lastId(table: string): Promise<number> {
    const isNumbered = this.schema.get(table)?.some(({ name, kind }) => name === 'id' && kind === 'integer');
    if (!isNumbered) return 0;
    const { rows } = await (isPostgres(this.#database)
      ? sql<{
          last: number;
        }>`select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)
          as last`
      : sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${table}`
    ).execute(this.#database);
    return rows[0]?.last ?? 0;
  }

  async *rows(table: string): AsyncGenerator<readonly StoredRow[]> {
    const since = this.facts.logs_since;
    const unlogged = table === 'users' && since !== null ? await this.#consumedBefore(since) : undefined;
    for await (const rows of isPostgres(this.#database) ? this.#byCursor(table) : this.#byStream(table)) {
      yield unlogged ? rows.map((row) => withUnlogged(row, unlogged)) : rows;
    }
  }

  /** Condition for the exported rows of logs and rollups. */
  #isWanted(table: string): RawBuilder<boolean> {
    const { time } = archivedTable(table) ?? {};
    const since = this.facts.logs_since;
    return time === undefined || since === null ? sql`true` : sql`${sql.ref(time)} >= ${sql.lit(since)}`;
  }

  #query(table: string): RawBuilder<StoredRow> {
    const columns = (this.schema.get(table) ?? []).map(({ name }) => sql.ref(name));
    // Names come from the list of archived tables, not from types.
    const from = archivedTable(table)?.isTotal ? currentTableSql(this.#database, table as never) : sql.table(table);
    return sql`select ${sql.join(columns)} from ${from} where ${this.#isWanted(table)}`;
  }

  async *#byCursor(table: string): AsyncGenerator<readonly StoredRow[]> {
    await sql`declare archived no scroll cursor for ${this.#query(table)}`.execute(this.#database);
    for (;;) {
      const { rows } = await sql<StoredRow>`fetch forward ${sql.lit(rowsAtOnce)} from archived`.execute(this.#database);
      if (rows.length === 0) break;
      yield rows;
    }
    await sql`close archived`.execute(this.#database);
  }

  async *#byStream(table: string): AsyncGenerator<readonly StoredRow[]> {
    const query = this.#database
      .selectFrom(table as 'meta')
      .selectAll()
      .where(this.#isWanted(table));
    let rows: StoredRow[] = [];
    for await (const row of query.stream()) {
      // The query is typed for 'meta' but reads any table.
      rows.push(row as unknown as StoredRow);
      if (rows.length < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }

  /** Quota per user consumed in logs that are not exported; it becomes unlogged quota. */
  async #consumedBefore(since: number): Promise<ReadonlyMap<unknown, number>> {
    const { rows } = await sql<{ user_id: number; quota: number }>`select user_id, sum(quota) as quota
      from ${currentTableSql(this.#database, 'usage_days')}
      where type = ${sql.lit(logType.consumption)} and day < ${since} group by user_id`.execute(this.#database);
    return new Map(rows.map(({ user_id, quota }) => [user_id, quota]));
  }
}

const withUnlogged = (row: StoredRow, unlogged: ReadonlyMap<unknown, number>): StoredRow => ({
  ...row,
  unlogged_quota: Number(row['unlogged_quota']) + (unlogged.get(row['id']) ?? 0),
});
