import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { lastMigration } from '../../platform/db/migrate.ts';
import { openServerDatabase } from '../../platform/db/server-database.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { readArchiveSchema, schemaAt } from './archive-schema-repository.ts';
import { archivedTable, archivedTables, tableNames } from './archived-tables.ts';

const sqliteTables = sql<{ name: string }>`select name from sqlite_schema where type = 'table'
  and name not like 'sqlite_%' and name not like 'kysely_%'`;

/** Partitions belong to their parent tables. */
const postgresTables = sql<{ name: string }>`select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
  and relname not like 'kysely_%'`;

test('every table is either exported or excluded with a reason', async () => {
  await using stored = await createTestDatabase();
  const { database, close } = await openServerDatabase(stored.location);
  const { rows } = await (inject('database') === 'sqlite' ? sqliteTables : postgresTables).execute(database);
  await close();
  const known: readonly string[] = tableNames;
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test('a table has the same columns on both databases, and encrypted columns are decrypted', async () => {
  await using stored = await createTestDatabase();
  const { database, close } = await openServerDatabase(stored.location);
  const here = await readArchiveSchema(database);
  await close();
  const onSqlite = await schemaAt(lastMigration);
  expect([...here.keys()].sort()).toEqual([...archivedTables].sort());
  for (const table of archivedTables) {
    const inOrder = (columns = here.get(table)) =>
      [...(columns ?? [])].sort((one, other) => (one.name < other.name ? -1 : 1));
    expect([table, inOrder()]).toEqual([table, inOrder(onSqlite?.get(table))]);
    const sealed = inOrder().filter(({ name }) => name.endsWith('_sealed'));
    expect(archivedTable(table)?.sealed ?? []).toEqual(expect.arrayContaining(sealed.map(({ name }) => name)));
  }
});
