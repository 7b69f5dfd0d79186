import { hostname } from 'node:os';
import { NodeRepository } from '../observability/nodes/node-repository.ts';
import { NodeService } from '../observability/nodes/node-service.ts';
import { type ChangeFeed, localChangeFeed, postgresChangeFeed } from '../platform/db/change-feed.ts';
import { type Database, figuresOf } from '../platform/db/database.ts';
import { transactionsOf } from '../platform/db/transaction.ts';
import { managedGuard } from '../platform/managed/managed-guard.ts';
import { ManagedRepository } from '../platform/managed/managed-repository.ts';
import { OptionRepository } from '../platform/options/option-repository.ts';
import { OptionService } from '../platform/options/option-service.ts';
import { checkSecretKey, secretBoxFor } from '../platform/secrets/secret-check-repository.ts';
import { loadSecretKey } from '../platform/secrets/secret-key.ts';
import type { DatabaseFigures } from '../platform/storage/database-figures.ts';
import { ExportConnectionRepository } from '../records/exports/export-connection-repository.ts';
import { ExportService } from '../records/exports/export-service.ts';
import { ExportSlots } from '../records/exports/export-slots.ts';
import { ListExportService } from '../records/exports/list-export-service.ts';
import { LedgerRepository } from '../records/ledger/ledger-repository.ts';
import { FailureCountRepository } from '../records/logs/failure-count-repository.ts';
import { HourCleaningRepository } from '../records/logs/hour-cleaning-repository.ts';
import { LogCleaningService } from '../records/logs/log-cleaning-service.ts';
import { LogExportService } from '../records/logs/log-export-service.ts';
import { LogListRepository } from '../records/logs/log-list-repository.ts';
import { LogOwnerRepository } from '../records/logs/log-owner-repository.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { LogSearchRepository } from '../records/logs/log-search-repository.ts';
import { LogService } from '../records/logs/log-service.ts';
import { LogSuggestionRepository } from '../records/logs/log-suggestion-repository.ts';
import { MonthCleaningRepository } from '../records/logs/month-cleaning-repository.ts';
import { SumFoldRepository } from '../records/logs/sum-fold-repository.ts';
import { MonthRepository } from '../records/months/month-repository.ts';
import { MonthService } from '../records/months/month-service.ts';
import { TokenPackRepository } from '../records/usage/token-pack-repository.ts';
import { UsagePackRepository } from '../records/usage/usage-pack-repository.ts';
import { UsagePackingService } from '../records/usage/usage-packing-service.ts';
import { UsageRepository } from '../records/usage/usage-repository.ts';
import { UsageService } from '../records/usage/usage-service.ts';
import { inSteps } from '../relay/kept-bodies/body-sweeper.ts';
import { KeptBodyRepository } from '../relay/kept-bodies/kept-body-repository.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { makeLimits } from './limit-services.ts';
import { settingsOf } from './node-settings.ts';
import { makePrices } from './price-services.ts';

const longestNodeName = 64;

const listExportThread = new URL('./list-export-thread.ts', import.meta.url);

export type CoreServices = Awaited<ReturnType<typeof makeCoreServices>>;

/** What nearly every other service needs: secrets, transactions, options and the log. */
export async function makeCoreServices(app: AppDependencies) {
  const { config, database, logger, readerPatienceMs } = app;
  const secretKey = loadSecretKey(config.dataDir, config.secretKey);
  const box = await secretBoxFor(database, secretKey);
  await checkSecretKey(database, box);
  const feed =
    config.databaseUrl === undefined
      ? localChangeFeed(logger)
      : await postgresChangeFeed(config.databaseUrl, logger, app.confirmingPatienceMs);
  const inTransaction = transactionsOf(database, feed);
  const nodes = await joinNodes(app, feed);
  // The others know at once that somebody hears them.
  feed.broadcasts.say('hello', nodes.name);
  const relayDatabase = app.relayDatabase ?? database;
  const optionRepository = new OptionRepository(database);
  const marks = marksOn(database);
  const options = new OptionService(optionRepository, box);
  feed.listen((change) => (change === 'options' || change === 'everything' ? options.load() : undefined));
  await options.load();
  const logRepository = new LogRepository(database);
  const logs = new LogService(logRepository, options);
  const changing = { box, logs, inTransaction, managed: marks.managed, options, optionRepository };
  const logLists = new LogListRepository(database);
  const exportSlots = new ExportSlots();
  const connections = new ExportConnectionRepository(database);
  const exports = new ExportService({
    ...{ location: config, connections, options, slots: exportSlots, patienceMs: readerPatienceMs },
  });
  return {
    box,
    feed,
    nodes,
    nodeName: config.databaseUrl === undefined ? '' : nodes.name,
    ...makeLimits(app, feed),
    inTransaction,
    relayDatabase,
    databaseFigures: figuresByUse(app),
    inRelayTransaction: transactionsOf(relayDatabase, feed),
    options,
    ...marks,
    ...(await makePrices(database, feed, changing)),
    logs,
    logLists,
    failureCounts: new FailureCountRepository(database),
    logSuggestions: new LogSuggestionRepository(database),
    logSearch: new LogSearchRepository(database, logLists),
    logCleaning: makeLogCleaning(database, { logRepository, logs, inTransaction }),
    exportSlots,
    logExports: new LogExportService(exports),
    listExports: new ListExportService(exports, listExportThread, secretKey),
    ledger: new LedgerRepository(database),
    months: monthsOf(app),
    usagePacking: usagePackingOf(app),
    usage: new UsageService({
      sums: new UsageRepository(database),
      packs: new UsagePackRepository(database),
      owners: new LogOwnerRepository(database),
    }),
  };
}

const usagePackingOf = ({ database, logger }: AppDependencies) =>
  new UsagePackingService({
    packs: new UsagePackRepository(database),
    tokens: new TokenPackRepository(database),
    fold: () => new SumFoldRepository(database).fold(),
    onFailure: (error) => logger.error({ err: error }, 'usage was not packed'),
  });

/** What a configuration file manages. */
function marksOn(database: Database) {
  const managedThings = new ManagedRepository(database);
  return { managedThings, managed: managedGuard(managedThings) };
}

/** After it listens to changes and before anything is read that may change: from here on the others count on it to hear. */
function joinNodes({ config, database, identity, logger }: AppDependencies, feed: ChangeFeed): Promise<NodeService> {
  return NodeService.join({
    nodes: config.databaseUrl === undefined ? undefined : new NodeRepository(database),
    facts: {
      id: feed.id,
      name: (config.nodeName ?? hostname()).slice(0, longestNodeName),
      version: identity.version,
      startedTime: identity.startTime,
      settings: settingsOf(config),
    },
    onOthers: (hasOthers) => feed.heedOthers(hasOthers),
    onFailure: (error) => logger.warn({ err: error }, 'the other nodes could not be told that this one is alive'),
  });
}

/** With the logs of a time goes what is kept of its requests. */
function makeLogCleaning(
  database: Database,
  services: Pick<ConstructorParameters<typeof LogCleaningService>[0], 'logRepository' | 'logs' | 'inTransaction'>,
): LogCleaningService {
  const bodies = new KeptBodyRepository(database);
  return new LogCleaningService({
    ...services,
    months: new MonthCleaningRepository(database),
    hours: new HourCleaningRepository(database),
    cleanBodies: (before, isStopped) => inSteps(() => bodies.removeBefore(before), isStopped),
  });
}

/** Only PostgreSQL has tables by month. */
const monthsOf = ({ config, database, logger }: AppDependencies): MonthService | undefined =>
  config.databaseUrl === undefined
    ? undefined
    : new MonthService(new MonthRepository(database), (error) =>
        logger.error({ err: error }, 'the tables of the coming months were not made'),
      );

/** SQLite has one way for all. */
function figuresByUse(app: AppDependencies): ReadonlyMap<string, DatabaseFigures> {
  const { database, relayDatabase, chargeDatabase } = app;
  const uses: Readonly<Record<string, Database>> = relayDatabase
    ? { console: database, relay: relayDatabase, ...(chargeDatabase && { charges: chargeDatabase }) }
    : { all: database };
  return new Map(
    Object.entries(uses).flatMap(([use, one]) => {
      const figures = figuresOf(one);
      return figures ? [[use, figures] as const] : [];
    }),
  );
}
