import type { Platform } from '../platform/create-platform.ts';
import type { Database } from '../platform/db/database.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BodyKeepingRepository } from './payload-logging/body-keeping-repository.ts';
import { BodyKeepingService } from './payload-logging/body-keeping-service.ts';
import { inSteps } from './payload-logging/body-sweeper.ts';
import { KeptBodyRepository } from './payload-logging/kept-body-repository.ts';
import { StoredResponseRepository } from './stored-responses/stored-response-repository.ts';

interface UserDataDependencies extends Pick<Platform, 'options' | 'inTransaction'> {
  readonly logs: LogService;
}

/** Stored payloads and responses of users, deleted with their accounts. */
export function createUserData(database: Database, { options, logs, inTransaction }: UserDataDependencies) {
  const responses = new StoredResponseRepository(database);
  return {
    keepings: new BodyKeepingService({
      keepings: new BodyKeepingRepository(database),
      bodies: new KeptBodyRepository(database),
      options,
      logs,
      inTransaction,
    }),
    storedResponses: {
      removeAll: (transaction: Transaction, userId: number) => responses.within(transaction).removeOfUser(userId),
    },
  };
}

/** Deletes stored payloads of requests before a time. */
export function bodyCleaner(database: Database) {
  const bodies = new KeptBodyRepository(database);
  return (before: number, isStopped: () => boolean) => inSteps(() => bodies.removeBefore(before), isStopped);
}
