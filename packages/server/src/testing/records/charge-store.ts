import { isPostgres } from '../../platform/db/backend.ts';
import { localChangeFeed } from '../../platform/db/change-feed.ts';
import type { Database } from '../../platform/db/database.ts';
import { createTransactions } from '../../platform/db/transaction.ts';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { LogService } from '../../records/logs/log-service.ts';
import { ChargeBatchRepository } from '../../relay/charges/charge-batch-repository.ts';
import { ChargeBatchStore } from '../../relay/charges/charge-batch-store.ts';
import { ChargeBatchWriter } from '../../relay/charges/charge-batch-writer.ts';
import { ChargeJournalRepository } from '../../relay/charges/charge-journal-repository.ts';
import { ChargeStore } from '../../relay/charges/charge-store.ts';
import type { ChargeWriter } from '../../relay/charges/charge-writer.ts';
import { SettlementRepository } from '../../relay/charges/settlement-repository.ts';
import { SettlementWriter } from '../../relay/charges/settlement-writer.ts';
import { UpstreamResponseRepository } from '../../relay/upstream-responses/upstream-response-repository.ts';

type OnFailure = (error: unknown) => void;

/** A second store next to the app's, like that of another process on the same SQLite file. */
export function chargeStoreOf(database: Database, onFailure: OnFailure): ChargeStore {
  const quiet = { warn: () => undefined, error: () => undefined };
  return new ChargeStore({
    settlements: new SettlementRepository(database),
    logs: new LogService(new LogRepository(database), {} as never),
    keptResponses: new UpstreamResponseRepository(database),
    journal: new ChargeJournalRepository(database),
    inTransaction: createTransactions(database, localChangeFeed(quiet)),
    onFailure,
    onUnreadable: ({ reason }) => onFailure(new Error(reason)),
  });
}

/** A second store next to the app's on PostgreSQL, like that of another node. */
export const batchStoreOf = (database: Database, onFailure: OnFailure): ChargeBatchStore =>
  new ChargeBatchStore({
    groups: new ChargeBatchRepository(database),
    keptResponses: new UpstreamResponseRepository(database),
    local: { append: () => undefined },
    onFailure,
    onSaved: () => undefined,
  });

/** Charge writer for this database. */
export const chargeWriterOf = (database: Database, onFailure: OnFailure, now?: () => number): ChargeWriter =>
  isPostgres(database)
    ? new ChargeBatchWriter({ store: batchStoreOf(database, onFailure), maxInFlight: 4, onStored: () => undefined })
    : new SettlementWriter({
        store: chargeStoreOf(database, onFailure),
        running: () => 0,
        onSpent: () => undefined,
        ...(now && { now }),
      });
