import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { databaseFile } from '../../platform/storage/database-file.ts';
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { startServer } from './program.ts';

/** Starts the server with these variables and returns its exit. */
export async function runFailedStart(environment: Record<string, string>) {
  await using database = await createTestDatabase();
  await using server = startServer({ ...database.environment, ...environment }, database.location.dataDir);
  return await server.exit;
}

/** Expected exit of a start that failed with one line on standard error. */
export const oneLineError = (sentence: RegExp) => ({
  code: 1,
  signal: null,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^headgate: ${sentence.source}\\n$`)),
});

/** Names of all tables; none for a database file that does not exist. */
export async function tablesOf({ location }: TestDatabase): Promise<readonly string[]> {
  if (location.databaseUrl === undefined && !existsSync(databaseFile(location.dataDir))) return [];
  const database = await openDatabase(location);
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  await database.destroy();
  return tables.map(({ name }) => name);
}
