import { mostGroupsUnderWay } from '../platform/db/database.ts';
import { databaseIdOf } from '../platform/db/database-id.ts';
import { SumFoldRepository } from '../records/logs/sum-fold-repository.ts';
import { BalanceFoldRepository } from '../records/totals/balance-fold-repository.ts';
import { BudgetFoldRepository } from '../records/totals/budget-fold-repository.ts';
import { FoldService } from '../records/totals/fold-service.ts';
import type { Balance } from '../records/totals/folded.ts';
import type { Charge } from '../relay/charges/charge.ts';
import { ChargeGroupRepository } from '../relay/charges/charge-group-repository.ts';
import { ChargeJournalRepository } from '../relay/charges/charge-journal-repository.ts';
import { ChargeStore } from '../relay/charges/charge-store.ts';
import type { ChargeWriter } from '../relay/charges/charge-writer.ts';
import { GroupStore } from '../relay/charges/group-store.ts';
import { GroupWriter } from '../relay/charges/group-writer.ts';
import { LocalChargeJournal } from '../relay/charges/local-charge-journal.ts';
import { SettlementRepository } from '../relay/charges/settlement-repository.ts';
import { SettlementWriter } from '../relay/charges/settlement-writer.ts';
import { amountOf, storeLocalCharges } from '../relay/charges/store-local-charges.ts';
import { KeptResponseRepository } from '../relay/kept/kept-response-repository.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

interface ChargeNeighbours {
  /** How many requests are under way. */
  readonly running: () => number;
  readonly onSpent: (balance: Balance) => void;
  /** Something was charged to these periods of budgets, and this is stored. */
  readonly onBudgets: (periods: readonly number[]) => void;
  /** Charges could not be stored, and will be tried again. */
  readonly onFailure: (error: unknown) => void;
}

interface ChargeServices {
  readonly writer: ChargeWriter;
}

/** How long PostgreSQL may be unreachable during the shutdown before charges are saved in the data folder. */
const unreachableMs = 5000;

/** Charges of an unreadable entry that one line of the log names. */
const mostTold = 20;

/** Where finished requests are charged; what a killed process left is in order then. */
export const makeChargeServices = (
  app: AppContext,
  core: CoreServices,
  neighbours: ChargeNeighbours,
): Promise<ChargeServices> =>
  app.config.databaseUrl === undefined ? withJournal(app, core, neighbours) : withGroups(app, core, neighbours);

async function withJournal(
  app: AppContext,
  { logs, relayDatabase: database, inRelayTransaction }: CoreServices,
  { running, onSpent, onBudgets, onFailure }: ChargeNeighbours,
): Promise<ChargeServices> {
  const store = new ChargeStore({
    settlements: new SettlementRepository(database),
    logs,
    keptResponses: new KeptResponseRepository(database),
    journal: new ChargeJournalRepository(database),
    inTransaction: inRelayTransaction,
    onFailure,
    onUnreadable: ({ entry: { id, version }, reason, holds }) =>
      app.logger.error(
        { entry: id, version, reason, holds: holds.slice(0, mostTold), more: Math.max(0, holds.length - mostTold) },
        'an entry of the journal cannot be read: it is kept in set_aside_charges, and not charged',
      ),
  });
  await store.recover();
  const writer = new SettlementWriter({ store, running, onSpent, onBudgets });
  app.lifecycle.add({ name: 'charges', stop: () => writer.drain() });
  return { writer };
}

async function withGroups(
  app: AppContext,
  { relayDatabase }: CoreServices,
  { onSpent, onBudgets, onFailure }: ChargeNeighbours,
): Promise<ChargeServices> {
  const database = app.chargeDatabase ?? relayDatabase;
  const { dataDir } = app.config;
  const groups = new ChargeGroupRepository(database);
  const databaseId = await databaseIdOf(relayDatabase);
  const store = new GroupStore({
    groups,
    keptResponses: new KeptResponseRepository(relayDatabase),
    local: new LocalChargeJournal({ folder: dataDir, databaseId, writer: groups.writer }),
    onFailure,
    onSaved: (charges, error) => logSaved(app, charges, error),
  });
  const groupsOf = (writer: number) => new ChargeGroupRepository(database, writer);
  await storeLocalCharges({ folder: dataDir, databaseId, groupsOf, log: app.logger });
  await store.recover();
  const folding = new FoldService({
    balances: new BalanceFoldRepository(database),
    budgets: new BudgetFoldRepository(database),
    sums: new SumFoldRepository(database),
    onSpent,
    onBudgets,
    onFailure: (error) => app.logger.warn({ err: error }, 'totals were not folded; trying again'),
  });
  folding.start();
  const { lifecycle } = app;
  // If one of the two fails, the next start does it.
  lifecycle.add({ name: 'totals', stop: () => folding.close().catch(() => undefined) });
  lifecycle.add({
    name: 'charge store',
    drain: () => void setTimeout(() => store.saveLocally(), unreachableMs).unref(),
    stop: () => store.close().catch(() => undefined),
  });
  const writer = new GroupWriter({
    store,
    mostUnderWay: mostGroupsUnderWay,
    onStored: () => folding.added(),
  });
  lifecycle.add({ name: 'charges', stop: () => writer.drain() });
  return { writer };
}

function logSaved({ logger, config }: AppContext, charges: readonly Charge[], error: unknown): void {
  const fields = { ...amountOf(charges), dataDir: config.dataDir };
  if (error === undefined) logger.warn(fields, 'charges were saved in DATA_DIR; the next start stores them');
  else
    logger.fatal(
      { ...fields, err: error },
      'charges could not be saved in DATA_DIR; they are lost if the process ends now',
    );
}
