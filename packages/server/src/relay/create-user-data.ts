import type { Platform } from '../platform/create-platform.ts';
import type { Database } from '../platform/db/database.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { runWithPauses } from './payload-logging/payload-cleanup.ts';
import { PayloadRepository } from './payload-logging/payload-repository.ts';
import { PayloadSettingRepository } from './payload-logging/payload-setting-repository.ts';
import { PayloadSettingService } from './payload-logging/payload-setting-service.ts';
import { StoredResponseRepository } from './stored-responses/stored-response-repository.ts';

interface UserDataDependencies extends Pick<Platform, 'options' | 'inTransaction'> {
  readonly logs: LogService;
}

/** Stored payloads and responses of users, deleted with their accounts. */
export function createUserData(database: Database, { options, logs, inTransaction }: UserDataDependencies) {
  const responses = new StoredResponseRepository(database);
  return {
    keepings: new PayloadSettingService({
      keepings: new PayloadSettingRepository(database),
      bodies: new PayloadRepository(database),
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
export function createPayloadCleaner(database: Database) {
  const bodies = new PayloadRepository(database);
  return (before: number, isStopped: () => boolean) => runWithPauses(() => bodies.removeBefore(before), isStopped);
}
