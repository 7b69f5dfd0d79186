import { expect } from 'vitest';
import { createTestDatabase } from '../database/test-database.ts';
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
