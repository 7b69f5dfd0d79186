import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { type Database, openInMemory } from './database.ts';
import { migrate } from './migrate.ts';
import type { TableName } from './rows.ts';

/** Fills a table of a new database from a file opened read-only. Both have the same columns in the same order. */
async function copyTable(database: Database, table: TableName): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(database);
  await sql`insert into ${sql.table(table)} select * from ${sql.id('live', table)}`.execute(database);
}

/**
 * Snapshot of some tables of a SQLite file in an in-memory database; other tables are empty. Does not disturb a
 * server using the file. Both must have the same schema version.
 */
export async function copyInMemory(file: string, tables: readonly TableName[]): Promise<Database> {
  const database = openInMemory();
  try {
    await migrate(database);
    await sql`pragma foreign_keys = off`.execute(database);
    await sql`attach database ${`${pathToFileURL(file).href}?mode=ro`} as live`.execute(database);
    await database.transaction().execute(async (connection) => {
      for (const table of tables) await copyTable(connection, table);
    });
    await sql`detach database live`.execute(database);
    await sql`pragma foreign_keys = on`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
