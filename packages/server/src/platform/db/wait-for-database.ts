import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnreachable } from '../errors/database-unreachable.ts';
import { StartFailure } from '../errors/start-failure.ts';
import type { DatabaseLocation } from './database.ts';
import { type BeforeMigration, openServerDatabase, type ServerDatabase } from './server-database.ts';

interface AwaitedLocation extends DatabaseLocation {
  readonly databaseWaitMs: number;
}

interface WaitingLog {
  warn(fields: object, message: string): void;
}

const tryAgainMs = 500;

/**
 * Opens the database of a server. Waits for an unreachable database, which may still be starting. Permanent problems,
 * such as a wrong password, are thrown as StartFailure immediately.
 */
export async function waitForDatabase(
  location: AwaitedLocation,
  log: WaitingLog,
  beforeMigration?: BeforeMigration,
): Promise<ServerDatabase> {
  const onCheckpointError = (error: string) =>
    log.warn(
      { error },
      "SQLite's write-ahead log could not be copied into the database file; trying again as it grows",
    );
  const deadline = performance.now() + location.databaseWaitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openServerDatabase(location, { onCheckpointError, beforeMigration });
    } catch (error) {
      const mayCome = error instanceof StartFailure && isDatabaseUnreachable(error.cause);
      if (!mayCome || performance.now() >= deadline) throw error;
      if (isFirst) log.warn({ seconds: location.databaseWaitMs / 1000 }, `waiting for the database: ${error.message}`);
    }
    await sleep(tryAgainMs);
  }
}
