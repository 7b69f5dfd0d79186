import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { nowInSeconds } from '../../runtime/clock.ts';
import { isPostgres } from '../backend.ts';
import { accounts } from './accounts.ts';
import { catalog } from './catalog.ts';
import { changeTables, ownerKinds, ownerView } from './changes.ts';
import { monthPartitions } from './month-partitions.ts';
import { observability } from './observability.ts';
import { platform } from './platform.ts';
import { records } from './records.ts';
import { relay } from './relay.ts';
import { settings } from './settings.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const parts = [platform, settings, accounts, catalog, relay, records, observability];

/** Statements of each part. */
export const initialStatements = {
  sqlite: parts.map(({ tables, sqlite = '' }) => tables(sqliteSyntax) + sqlite),
  postgres: parts.map(({ tables, postgres = '' }) => tables(postgresSyntax) + postgres),
} as const;

/** The schema of version 1.0. It never changes: later versions add migrations. */
export const initialSchema: Migration = {
  async up(database) {
    if (isPostgres(database)) await createOnPostgres(database);
    else for (const text of initialStatements.sqlite) await run(database, text);
  },
};

async function createOnPostgres(database: Kysely<unknown>): Promise<void> {
  await run(database, await foldCase(database));
  for (const text of initialStatements.postgres) await run(database, text);
  await run(database, monthPartitions(nowInSeconds()) + changeTables);
  for (const kind of ownerKinds) await run(database, ownerView(kind, await columnsOf(database, `${kind}s`)));
}

/** One statement at a time, as SQLite requires. */
async function run(database: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(/;$/m)) {
    if (statement.trim() !== '') await sql.raw(statement.trim()).execute(database);
  }
}

/**
 * Lower-cases letters of all scripts, because PostgreSQL's `lower` only handles ASCII in a database without a locale.
 * The SQLite driver adds a function of the same name.
 */
async function foldCase(database: Kysely<unknown>): Promise<string> {
  const icu = await sql`select from pg_collation where collname = 'und-x-icu'`.execute(database);
  const lower = icu.rows.length > 0 ? 'lower($1 collate "und-x-icu")' : 'lower($1)';
  return `create function fold_case(text) returns text language sql immutable strict parallel safe return ${lower};`;
}

async function columnsOf(database: Kysely<unknown>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(database);
  return rows.map(({ name }) => name);
}
