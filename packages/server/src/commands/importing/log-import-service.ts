import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportedIds, ImportSource, LogContext, LogId, LogSkip, mapLog, SpendContext } from '@headgate/importer';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { LogPosition, LogPositionRepository } from './log-position-repository.ts';

interface Consumed {
  readonly type: number;
  readonly user_id: number;
  readonly quota: number;
}

/** Usage of users without log entries. */
interface UnloggedQuota {
  within(transaction: Transaction): { add(consumed: readonly Consumed[]): Promise<void> };
}

interface LogImportServiceDependencies {
  /** Result of the importer, which is loaded on demand. */
  readonly mapLog: typeof mapLog;
  readonly logs: LogService;
  readonly positions: LogPositionRepository;
  readonly unlogged: UnloggedQuota;
  readonly importedIds: (source: string) => Promise<ImportedIds>;
  readonly spendOwners: (source: string) => Promise<Omit<SpendContext, 'pointsPerDollar'>>;
  /** Points per dollar. */
  readonly quotaPerUnit: () => Promise<number>;
  readonly inTransaction: InTransaction;
}

export interface LogImportRun {
  readonly name: string;
  /** Unix time in seconds. */
  readonly since: number;
  /** Called after each stored page. */
  readonly onProgress: (progress: LogProgress) => void;
}

export interface LogProgress {
  readonly read: number;
  readonly stored: number;
  /** Number of skipped logs by reason. */
  readonly skipped: ReadonlyMap<LogSkip, number>;
}

/** Logs per transaction. */
const pageSize = 5000;

/** Imports logs page by page and stores its position, so that a killed import resumes where it stopped. */
export class LogImportService {
  readonly #dependencies: LogImportServiceDependencies;

  constructor(dependencies: LogImportServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async run(source: ImportSource, { name, since, onProgress }: LogImportRun): Promise<LogProgress> {
    const around = await this.#logContext(source, name);
    const begun = await this.#begin(name, since);
    const skipped = new Map<LogSkip, number>();
    let progress: LogProgress = { read: 0, stored: 0, skipped };
    const { mapLog: map } = this.#dependencies;
    const pageAfter = (position: LogPosition) => readPage(source, position, { since, map: (row) => map(row, around) });
    const stored = async ({ records, skips, read, position, isLast }: LogPage, from: LogPosition) => {
      await this.#store(name, { from, to: position }, records);
      for (const reason of skips) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      progress = { read: progress.read + read, stored: progress.stored + records.length, skipped };
      if (!isLast) onProgress(progress);
    };
    let from = begun.stored;
    for (let page = await pageAfter(begun.wanted); ; ) {
      // The next page is read while the database stores this one.
      const [storing, ahead] = await Promise.allSettled([
        stored(page, from),
        page.isLast ? page : pageAfter(page.position),
      ]);
      if (storing.status === 'rejected') throw storing.reason;
      if (page.isLast) return progress;
      // SQLite is synchronous: without yielding, progress would only be visible at the end.
      await nextTurn();
      if (ahead.status === 'rejected') throw ahead.reason;
      from = page.position;
      page = ahead.value;
    }
  }

  /** The stored position, and the position with the requested start. */
  async #begin(name: string, since: number): Promise<{ readonly stored: LogPosition; readonly wanted: LogPosition }> {
    const found = await this.#dependencies.positions.find(name);
    if (!found)
      throw new StartFailure('No users of this source have been imported yet. Import them before their logs.');
    if (found.since !== null && found.since > since) {
      const day = new Date(found.since * 1000).toISOString().slice(0, 10);
      throw new StartFailure(`The logs since ${day} are already imported, and earlier ones can no longer be added.`);
    }
    return { stored: found, wanted: { ...found, since: found.since ?? since } };
  }

  async #store(
    name: string,
    { from, to }: { readonly from: LogPosition; readonly to: LogPosition },
    records: LogPage['records'],
  ): Promise<void> {
    const { logs, positions, unlogged, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      // Updated first, so that a concurrent import of the same page waits here and then finds the page imported.
      if (!(await positions.within(transaction).move(name, from, to)))
        throw new StartFailure(
          'Another import is importing these logs. The logs imported so far are stored, and none was imported twice.',
        );
      // Users before totals, the same lock order as for charges.
      const charges = records.map(({ type, user_id, quota = 0 }) => ({ type, user_id, quota: -quota }));
      await unlogged.within(transaction).add(charges);
      await logs.recordRequests(transaction, records);
    });
  }

  /** A source channel with several keys is logged as one channel, under the id of its first key. */
  async #logContext({ kind }: ImportSource, name: string): Promise<LogContext> {
    const { importedIds, spendOwners, quotaPerUnit } = this.#dependencies;
    const { user: users, channel } = await importedIds(name);
    const channels = new Map<string, number>();
    for (const [sourceId, id] of channel) {
      const [number = ''] = sourceId.split(':', 1);
      if (!channels.has(number)) channels.set(number, id);
    }
    const spend = { ...(await spendOwners(name)), pointsPerDollar: await quotaPerUnit() };
    return { kind, users, channels, now: nowInSeconds(), spend };
  }
}

/** Stored logs and the position after them. */
interface LogPage {
  readonly records: Parameters<LogService['recordRequests']>[1];
  /** Reasons of the skipped logs. */
  readonly skips: readonly LogSkip[];
  readonly read: number;
  readonly position: LogPosition;
  readonly isLast: boolean;
}

interface PageReading extends Pick<LogImportRun, 'since'> {
  readonly map: (row: Parameters<typeof mapLog>[0]) => ReturnType<typeof mapLog>;
}

async function readPage(source: ImportSource, before: LogPosition, { since, map }: PageReading): Promise<LogPage> {
  const { rows, last } = await source.logs({
    after: before.done,
    upTo: before.last,
    since,
    limit: pageSize,
  });
  const mapped = rows.map(map);
  return {
    records: mapped.filter((log) => typeof log !== 'string'),
    skips: mapped.filter((log) => typeof log === 'string'),
    read: rows.length,
    position: { ...before, done: last === undefined ? before.last : idAfter(last, before.done) },
    isLast: last === undefined,
  };
}

/** Throws if ids do not increase, because such logs would be read repeatedly. Text ids are ordered by the source. */
function idAfter(id: LogId, before: LogId): LogId {
  if (typeof id === 'string' ? id !== before : id > Number(before)) return id;
  throw new StartFailure(
    `The source has logs with ids that are not whole numbers, near ${before}. The earlier ones are imported.`,
  );
}
