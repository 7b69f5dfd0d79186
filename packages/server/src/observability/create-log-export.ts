import { join } from 'node:path';
import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { RollupRepository } from '../records/logs/rollup-repository.ts';
import type { AlertEvent } from './alerts/alert-event.ts';
import type { AlertTiming } from './alerts/alert-timing.ts';
import { exportDestinations } from './log-export/export-destinations.ts';
import { LogDestinationRepository } from './log-export/log-destination-repository.ts';
import { LogDestinationService } from './log-export/log-destination-service.ts';
import { LogExporter } from './log-export/log-exporter.ts';

interface LogExportDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly dataDir: string;
  readonly pace?: AlertTiming | undefined;
  readonly raise: (event: AlertEvent) => void;
}

/** Continuous export of logs to storage, HTTP endpoints and folders. */
export function createLogExport({ platform, records, dataDir, pace, raise }: LogExportDependencies) {
  const { database, box, inTransaction, logger, lifecycle } = platform;
  const exports = new LogDestinationRepository(database);
  const newest = new LogRepository(database);
  const rollups = new RollupRepository(database);
  const logDestinations: LogDestinationService = new LogDestinationService({
    exports,
    logs: records.logs,
    lastLogId: () => newest.lastId(),
    lagOf: (row) => logExporter.lagOf(row),
    box,
    inTransaction,
    exportsDir: join(dataDir, 'exports'),
  });
  const logExporter = new LogExporter({
    exports,
    lastCompleteId: () => rollups.lastCompleteId(),
    mostRows: ({ kind }) => exportDestinations[kind].mostRows,
    send: (row, batch) => logDestinations.send(row, batch),
    describe: (row, error) => logDestinations.describe(row, error),
    raise,
    now: pace?.now ?? nowInSeconds,
    everyMs: pace?.exportMs,
    onFailure: (error) => logger.error({ err: error }, 'failed to export logs'),
  });
  lifecycle.add({ name: 'log exporter', start: () => logExporter.start(), stop: () => logExporter.close() });
  return { logDestinations, logExporter };
}
