import { localChangeFeed } from '../db/change-feed.ts';
import type { Database } from '../db/database.ts';
import { isPostgres } from '../db/migrations/columns.ts';
import { LogRepository } from '../logs/log-repository.ts';
import { LogService } from '../logs/log-service.ts';
import { ChargeGroupRepository } from '../relay/charges/charge-group-repository.ts';
import { ChargeJournalRepository } from '../relay/charges/charge-journal-repository.ts';
import { ChargeStore } from '../relay/charges/charge-store.ts';
import { SettlementRepository } from '../relay/charges/settlement-repository.ts';
import { KeptResponseRepository } from '../relay/kept/kept-response-repository.ts';
import { transactionsOf } from '../transaction.ts';

interface Manner {
  readonly hasJournal: boolean;
  readonly onFailure: (error: unknown) => void;
}

/** One beside that of the app, as another process that uses the same database would have. */
export function chargeStoreOf(database: Database, { hasJournal, onFailure }: Manner): ChargeStore {
  const quiet = { warn: () => undefined, error: () => undefined };
  return new ChargeStore({
    settlements: new SettlementRepository(database),
    logs: new LogService(new LogRepository(database), {} as never),
    keptResponses: new KeptResponseRepository(database),
    journal: hasJournal ? new ChargeJournalRepository(database) : undefined,
    groups: isPostgres(database) ? new ChargeGroupRepository(database) : undefined,
    inTransaction: transactionsOf(database, localChangeFeed(quiet)),
    onFailure,
    onUnreadable: ({ reason }) => onFailure(new Error(reason)),
  });
}
