import type { Platform } from '../platform/create-platform.ts';
import { maxConcurrentBatches } from '../platform/db/database.ts';
import { getDatabaseId } from '../platform/db/database-id.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BalanceRollupRepository } from '../records/totals/balance-rollup-repository.ts';
import { BudgetRollupRepository } from '../records/totals/budget-rollup-repository.ts';
import type { Balance } from '../records/totals/rollup-batch.ts';
import { TotalsRollupService } from '../records/totals/totals-rollup-service.ts';
import { ChargeBatchRepository } from './charges/charge-batch-repository.ts';
import { ChargeBatchStore } from './charges/charge-batch-store.ts';
import { ChargeBatchWriter } from './charges/charge-batch-writer.ts';
import { ChargeJournalRepository } from './charges/charge-journal-repository.ts';
import { ChargeStore } from './charges/charge-store.ts';
import type { Charge, ChargeWriter } from './charges/charge-writer.ts';
import { LocalChargeJournal } from './charges/local-charge-journal.ts';
import { SettlementRepository } from './charges/settlement-repository.ts';
import { SettlementWriter } from './charges/settlement-writer.ts';
import { chargeTotals, storeLocalCharges } from './charges/store-local-charges.ts';
import { UpstreamResponseRepository } from './upstream-responses/upstream-response-repository.ts';

interface ChargeDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  /** Number of in-flight requests. */
  readonly running: () => number;
  readonly onSpent: (balance: Balance) => void;
  /** Called after charges to these budget periods are stored. */
  readonly onBudgets: (periods: readonly number[]) => void;
  /** Called when charges could not be stored; they are retried. */
  readonly onFailure: (error: unknown) => void;
}

/** How long PostgreSQL may be unreachable during shutdown before charges are saved to the data folder. */
const unreachableMs = 5000;

/** Maximum number of charges of an unreadable entry that are logged. */
const maxLoggedCharges = 20;

/** Creates the charge writer, after recovering the charges of a killed process. */
export const createCharges = (dependencies: ChargeDependencies): Promise<ChargeWriter> =>
  dependencies.platform.databaseUrl === undefined ? withJournal(dependencies) : withGroups(dependencies);

async function withJournal({
  platform,
  logs,
  running,
  onSpent,
  onBudgets,
  onFailure,
}: ChargeDependencies): Promise<ChargeWriter> {
  const { relayDatabase: database, inRelayTransaction, logger, lifecycle } = platform;
  const store = new ChargeStore({
    settlements: new SettlementRepository(database),
    logs,
    keptResponses: new UpstreamResponseRepository(database),
    journal: new ChargeJournalRepository(database),
    inTransaction: inRelayTransaction,
    onFailure,
    onUnreadable: ({ entry: { id, version }, reason, holds }) =>
      logger.error(
        {
          entry: id,
          version,
          reason,
          holds: holds.slice(0, maxLoggedCharges),
          more: Math.max(0, holds.length - maxLoggedCharges),
        },
        'a journal entry cannot be read; it was moved to set_aside_charges and not charged',
      ),
  });
  await store.recover();
  const writer = new SettlementWriter({ store, running, onSpent, onBudgets });
  lifecycle.add({ name: 'charges', stop: () => writer.drain() });
  return writer;
}

async function withGroups({ platform, onSpent, onBudgets, onFailure }: ChargeDependencies): Promise<ChargeWriter> {
  const { dataDir, relayDatabase, chargeDatabase: database, logger, lifecycle } = platform;
  const groups = new ChargeBatchRepository(database);
  const databaseId = await getDatabaseId(relayDatabase);
  const store = new ChargeBatchStore({
    groups,
    keptResponses: new UpstreamResponseRepository(relayDatabase),
    local: new LocalChargeJournal({ folder: dataDir, databaseId, writer: groups.writer }),
    onFailure,
    onSaved: (charges, error) => logSaved(platform, charges, error),
  });
  const groupsOf = (writer: number) => new ChargeBatchRepository(database, writer);
  await storeLocalCharges({ folder: dataDir, databaseId, groupsOf, log: logger });
  await store.recover();
  const totals = new TotalsRollupService({
    balances: new BalanceRollupRepository(database),
    budgets: new BudgetRollupRepository(database),
    onSpent,
    onBudgets,
    onFailure: (error) => logger.warn({ err: error }, 'pending changes were not applied to the totals; trying again'),
  });
  totals.start();
  // If either step fails, the next start repeats it.
  lifecycle.add({ name: 'totals', stop: () => totals.close().catch(() => undefined) });
  lifecycle.add({
    name: 'charge store',
    drain: () => void setTimeout(() => store.saveLocally(), unreachableMs).unref(),
    stop: () => store.close().catch(() => undefined),
  });
  const writer = new ChargeBatchWriter({
    store,
    maxInFlight: maxConcurrentBatches,
    onStored: () => totals.added(),
  });
  lifecycle.add({ name: 'charges', stop: () => writer.drain() });
  return writer;
}

function logSaved({ logger, dataDir }: Platform, charges: readonly Charge[], error: unknown): void {
  const fields = { ...chargeTotals(charges), dataDir };
  if (error === undefined) logger.warn(fields, 'charges were saved in DATA_DIR; the next start stores them');
  else
    logger.fatal(
      { ...fields, err: error },
      'charges could not be saved in DATA_DIR; they are lost if the process ends now',
    );
}
