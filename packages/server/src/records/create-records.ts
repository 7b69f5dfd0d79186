import type { LogFacets, LogHistogram, Usage } from '@headgate/contract';
import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import { ResponseCache } from '../platform/runtime/response-cache.ts';
import { BulkRunRepository } from './bulk/bulk-run-repository.ts';
import { BulkRunService } from './bulk/bulk-run-service.ts';
import { ExportConnectionRepository } from './exports/export-connection-repository.ts';
import { ExportService } from './exports/export-service.ts';
import { ExportSlots } from './exports/export-slots.ts';
import { ListExportService } from './exports/list-export-service.ts';
import { LedgerRepository } from './ledger/ledger-repository.ts';
import { FailureCountRepository } from './logs/failure-count-repository.ts';
import { LogCleaningRepository } from './logs/log-cleaning-repository.ts';
import { LogCleaningService } from './logs/log-cleaning-service.ts';
import { LogExportService } from './logs/log-export-service.ts';
import { LogFacetRepository } from './logs/log-facet-repository.ts';
import { LogHistogramRepository } from './logs/log-histogram-repository.ts';
import { LogListRepository } from './logs/log-list-repository.ts';
import { LogOverviewService } from './logs/log-overview-service.ts';
import { LogRepository } from './logs/log-repository.ts';
import { LogSearchRepository } from './logs/log-search-repository.ts';
import { LogService } from './logs/log-service.ts';
import { LogSuggestionRepository } from './logs/log-suggestion-repository.ts';
import { MonthCleaningRepository } from './logs/month-cleaning-repository.ts';
import { OwnLogService } from './logs/own-log-service.ts';
import { RollupRepository } from './logs/rollup-repository.ts';
import { RollupService } from './logs/rollup-service.ts';
import { MonthRepository } from './months/month-repository.ts';
import { MonthPartitionService } from './months/month-service.ts';
import { BalanceRepository } from './statements/balance-repository.ts';
import { CreditRepository } from './statements/credit-repository.ts';
import { StatementService } from './statements/statement-service.ts';
import { CostExportService } from './usage/cost-export-service.ts';
import { UsageComparisonRepository } from './usage/usage-comparison-repository.ts';
import { UsageComparisonService } from './usage/usage-comparison-service.ts';
import { UsageReader } from './usage/usage-reader.ts';
import { UsageRepository } from './usage/usage-repository.ts';
import type { UsageCriteria } from './usage/usage-request.ts';
import { UsageService } from './usage/usage-service.ts';

const usualUsageCacheMs = 30_000;

interface RecordsDependencies {
  readonly platform: Platform;
  /** Entry point of the worker thread that exports lists. */
  readonly listExportThread: URL;
  /** Deletes stored payloads of requests before a time. */
  readonly cleanBodies: ConstructorParameters<typeof LogCleaningService>[0]['cleanBodies'];
  /** How long a client may stop reading an export before it is aborted. */
  readonly readerPatienceMs?: number | undefined;
  /** How long usage responses are cached; 30 seconds by default. */
  readonly usageCacheMs?: number | undefined;
}

export type Records = ReturnType<typeof createRecords>;

/** Logs, usage, the ledger, exports and bulk changes. */
export function createRecords(dependencies: RecordsDependencies) {
  const { platform, listExportThread, readerPatienceMs, usageCacheMs = usualUsageCacheMs } = dependencies;
  const { database, options, location, lifecycle, secretKey } = platform;
  const logs = new LogService(new LogRepository(database), options);
  const logLists = new LogListRepository(database);
  const exportSlots = new ExportSlots();
  lifecycle.add({ name: 'exports', drain: () => exportSlots.close() });
  const connections = new ExportConnectionRepository(database);
  const exports = new ExportService({
    ...{ location, connections, options, slots: exportSlots, patienceMs: readerPatienceMs },
  });
  const usageSums = new UsageRepository(database);
  const usage = createUsage(platform, usageSums, usageCacheMs);
  startMonths(platform);
  const rollups = createRollups(platform);
  return {
    logs,
    logLists,
    ownLogs: new OwnLogService(logLists),
    failureCounts: new FailureCountRepository(database),
    logSuggestions: new LogSuggestionRepository(database),
    logSearch: new LogSearchRepository(database, logLists),
    logCleaning: createLogCleaning(dependencies, { logs, rollups }),
    logOverview: new LogOverviewService({
      histograms: new LogHistogramRepository(database),
      facets: new LogFacetRepository(database),
      histogramCache: new ResponseCache<LogHistogram>(usageCacheMs),
      facetCache: new ResponseCache<LogFacets>(usageCacheMs),
      nowSeconds: nowInSeconds,
    }),
    logExports: new LogExportService(exports),
    listExports: new ListExportService(exports, listExportThread, secretKey),
    bulkRuns: new BulkRunService(new BulkRunRepository(database)),
    ledger: new LedgerRepository(database),
    usageSums,
    usageCacheMs,
    usage,
    costExports: new CostExportService({ sums: usageSums, options }),
    usageComparison: new UsageComparisonService(usageSums, new UsageComparisonRepository(database)),
    statements: new StatementService({
      usage: { read: usage.readNow },
      credits: new CreditRepository(database),
      balances: new BalanceRepository(database),
    }),
  };
}

function createUsage({ database, location, lifecycle }: Platform, sums: UsageRepository, usageCacheMs: number) {
  const reader = new UsageReader({
    location,
    service: new UsageService(sums),
    lastLogId: () => new LogRepository(database).lastId(),
  });
  lifecycle.add({ name: 'usage', stop: () => reader.close() });
  const cache = new ResponseCache<Usage>(usageCacheMs);
  return {
    read: (question: UsageCriteria) => cache.get(question, () => reader.read(question)),
    /** Not cached. */
    readNow: (question: UsageCriteria) => reader.read(question),
  };
}

function createRollups({ database, logger, lifecycle }: Platform): RollupService {
  const onFailure = (error: unknown) => logger.error({ err: error }, 'logs were not rolled up');
  const rollups = new RollupService({ rollups: new RollupRepository(database), onFailure });
  lifecycle.add({ name: 'rollups', start: () => rollups.start(), drain: () => rollups.close() });
  return rollups;
}

function createLogCleaning(
  { platform, cleanBodies }: RecordsDependencies,
  services: Pick<ConstructorParameters<typeof LogCleaningService>[0], 'logs' | 'rollups'>,
): LogCleaningService {
  const { database, inTransaction, lifecycle } = platform;
  const logCleaning = new LogCleaningService({
    ...services,
    inTransaction,
    months: new MonthCleaningRepository(database),
    oldLogs: new LogCleaningRepository(database),
    cleanBodies,
  });
  lifecycle.add({ name: 'log cleaning', drain: () => logCleaning.stop() });
  return logCleaning;
}

/** Only PostgreSQL has month partitions. */
function startMonths({ databaseUrl, database, logger, lifecycle }: Platform): void {
  if (databaseUrl === undefined) return;
  const months = new MonthPartitionService(new MonthRepository(database), (error) =>
    logger.error({ err: error }, 'the tables of the coming months were not made'),
  );
  lifecycle.add({ name: 'month tables', start: () => months.start(), drain: () => months.close() });
}
