import type { Platform } from '../platform/create-platform.ts';
import { BulkRunRepository } from './bulk/bulk-run-repository.ts';
import { BulkRunService } from './bulk/bulk-run-service.ts';
import { ExportConnectionRepository } from './exports/export-connection-repository.ts';
import { ExportService } from './exports/export-service.ts';
import { ExportSlots } from './exports/export-slots.ts';
import { ListExportService } from './exports/list-export-service.ts';
import { LedgerRepository } from './ledger/ledger-repository.ts';
import { FailureCountRepository } from './logs/failure-count-repository.ts';
import { HourCleaningRepository } from './logs/hour-cleaning-repository.ts';
import { LogCleaningService } from './logs/log-cleaning-service.ts';
import { LogExportService } from './logs/log-export-service.ts';
import { LogListRepository } from './logs/log-list-repository.ts';
import { LogOwnerRepository } from './logs/log-owner-repository.ts';
import { LogRepository } from './logs/log-repository.ts';
import { LogSearchRepository } from './logs/log-search-repository.ts';
import { LogService } from './logs/log-service.ts';
import { LogSuggestionRepository } from './logs/log-suggestion-repository.ts';
import { MonthCleaningRepository } from './logs/month-cleaning-repository.ts';
import { SumFoldRepository } from './logs/sum-fold-repository.ts';
import { MonthRepository } from './months/month-repository.ts';
import { MonthService } from './months/month-service.ts';
import { TokenPackRepository } from './usage/token-pack-repository.ts';
import { UsagePackRepository } from './usage/usage-pack-repository.ts';
import { UsagePackingService } from './usage/usage-packing-service.ts';
import { UsageRepository } from './usage/usage-repository.ts';
import { UsageService } from './usage/usage-service.ts';

interface RecordsDependencies {
  readonly platform: Platform;
  /** The program of the thread that writes exports of lists. */
  readonly listExportThread: URL;
  /** Deletes stored payloads of requests before a time. */
  readonly cleanBodies: ConstructorParameters<typeof LogCleaningService>[0]['cleanBodies'];
  /** How long a client may read nothing of an export. */
  readonly readerPatienceMs?: number | undefined;
  /** How long after the start usage is packed for the first time; a few seconds by default. */
  readonly usagePackingAfterMs?: number | undefined;
}

export type Records = ReturnType<typeof createRecords>;

/** The log, usage, the ledger, exports and bulk changes. */
export function createRecords(dependencies: RecordsDependencies) {
  const { platform, listExportThread, readerPatienceMs } = dependencies;
  const { database, options, location, lifecycle, secretKey } = platform;
  const logRepository = new LogRepository(database);
  const logs = new LogService(logRepository, options);
  const logLists = new LogListRepository(database);
  const exportSlots = new ExportSlots();
  lifecycle.add({ name: 'exports', drain: () => exportSlots.close() });
  const connections = new ExportConnectionRepository(database);
  const exports = new ExportService({
    ...{ location, connections, options, slots: exportSlots, patienceMs: readerPatienceMs },
  });
  const usageSums = new UsageRepository(database);
  startMonths(platform);
  startUsagePacking(dependencies);
  return {
    logs,
    logLists,
    failureCounts: new FailureCountRepository(database),
    logSuggestions: new LogSuggestionRepository(database),
    logSearch: new LogSearchRepository(database, logLists),
    logCleaning: createLogCleaning(dependencies, { logRepository, logs }),
    logExports: new LogExportService(exports),
    listExports: new ListExportService(exports, listExportThread, secretKey),
    bulkRuns: new BulkRunService(new BulkRunRepository(database)),
    ledger: new LedgerRepository(database),
    usageSums,
    usage: new UsageService({
      sums: usageSums,
      packs: new UsagePackRepository(database),
      owners: new LogOwnerRepository(database),
    }),
  };
}

function startUsagePacking({ platform, usagePackingAfterMs }: RecordsDependencies): void {
  const { database, logger, lifecycle } = platform;
  const usagePacking = new UsagePackingService({
    packs: new UsagePackRepository(database),
    tokens: new TokenPackRepository(database),
    fold: () => new SumFoldRepository(database).fold(),
    onFailure: (error) => logger.error({ err: error }, 'usage was not packed'),
  });
  lifecycle.add({
    name: 'usage packing',
    start: () => usagePacking.start(usagePackingAfterMs),
    drain: () => usagePacking.close(),
  });
}

function createLogCleaning(
  { platform, cleanBodies }: RecordsDependencies,
  services: Pick<ConstructorParameters<typeof LogCleaningService>[0], 'logRepository' | 'logs'>,
): LogCleaningService {
  const { database, inTransaction, lifecycle } = platform;
  const logCleaning = new LogCleaningService({
    ...services,
    inTransaction,
    months: new MonthCleaningRepository(database),
    hours: new HourCleaningRepository(database),
    cleanBodies,
  });
  lifecycle.add({ name: 'log cleaning', drain: () => logCleaning.stop() });
  return logCleaning;
}

/** Only PostgreSQL has tables by month. */
function startMonths({ databaseUrl, database, logger, lifecycle }: Platform): void {
  if (databaseUrl === undefined) return;
  const months = new MonthService(new MonthRepository(database), (error) =>
    logger.error({ err: error }, 'the tables of the coming months were not made'),
  );
  lifecycle.add({ name: 'month tables', start: () => months.start(), drain: () => months.close() });
}
