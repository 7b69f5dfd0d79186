import { setTimeout as pause } from 'node:timers/promises';
import { isRoot } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogCleaningRepository } from './log-cleaning-repository.ts';
import { adminEvent, type EventRecord, type LogService, type LogUser } from './log-service.ts';
import type { MonthCleaningRepository } from './month-cleaning-repository.ts';
import type { RollupService } from './rollup-service.ts';

/** Attempts to truncate a month that is being read, before its logs are deleted row by row. */
const maxAttempts = 20;
const retryMs = 250;

type Admin = Pick<UserRow, 'id' | 'username' | 'role'>;
type CleanedMonth = Awaited<ReturnType<MonthCleaningRepository['before']>>[number];

interface LogCleaningServiceDependencies {
  readonly oldLogs: LogCleaningRepository;
  readonly months: MonthCleaningRepository;
  readonly rollups: Pick<RollupService, 'catchUp'>;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  /** Deletes stored payloads of requests before a time, until stopped. */
  readonly cleanBodies: (before: number, isStopped: () => boolean) => Promise<void>;
}

export class LogCleaningService {
  readonly #dependencies: LogCleaningServiceDependencies;
  #isRunning = false;
  #isStopped = false;

  constructor(dependencies: LogCleaningServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Deletes the logs before a time in short transactions and returns their number. Only root deletes logs that are not
   * exported yet, because an admin could otherwise remove the traces of a change.
   */
  async clean(admin: Admin, before: number): Promise<number> {
    if (before === 0) throw new ApiError('cleaningTimeRequired');
    if (this.#isRunning) throw new ApiError('alreadyCleaning');
    this.#isRunning = true;
    try {
      return await this.#clean(admin, before);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Stops a cleanup early, on shutdown. The remaining logs are kept. */
  stop(): void {
    this.#isStopped = true;
  }

  async #clean(admin: Admin, before: number): Promise<number> {
    const { oldLogs, logs, rollups, inTransaction } = this.#dependencies;
    let count = 0;
    try {
      await this.#dependencies.cleanBodies(before, () => this.#isStopped);
      const rolledUpTo = await rollups.catchUp();
      const exportedUpTo = isRoot(admin) ? undefined : await oldLogs.exportedUpTo();
      const lastId = Math.min(rolledUpTo, exportedUpTo ?? rolledUpTo);
      for await (const deleted of this.#cleanMonths(before, lastId)) count += deleted;
      let from = 0;
      while (!this.#isStopped) {
        const start = performance.now();
        const left = { from, before, lastId };
        const deleted = await inTransaction((transaction) => oldLogs.within(transaction).deleteOldest(left));
        if (deleted.count === 0) break;
        count += deleted.count;
        from = deleted.from;
        // Sleeps as long as it worked, to leave half of the time for requests.
        await pause(performance.now() - start);
      }
    } finally {
      await inTransaction((transaction) => logs.record(transaction, cleaned(admin, count, before)));
    }
    return count;
  }

  /** Truncates whole months before the time. Remaining logs are deleted row by row. */
  async *#cleanMonths(before: number, lastId: number): AsyncGenerator<number> {
    for (const month of await this.#dependencies.months.before(Math.min(before, nowInSeconds()))) {
      for (let attempt = 1; attempt <= maxAttempts && !this.#isStopped; attempt += 1) {
        const count = await this.#emptied(month, lastId);
        if (count !== 'locked') {
          yield count;
          break;
        }
        await pause(retryMs);
      }
    }
  }

  async #emptied(month: CleanedMonth, lastId: number): Promise<number | 'locked'> {
    const { months, inTransaction } = this.#dependencies;
    try {
      return (await inTransaction((transaction) => months.within(transaction).empty(month, lastId))) ?? 0;
    } catch (error) {
      if (months.isLocked(error)) return 'locked';
      throw error;
    }
  }
}

const cleaned = (admin: LogUser, count: number, before: number): EventRecord =>
  adminEvent(admin, 'log.cleaned', { count, time: timeText(before), seconds: before });

/** Times outside the date range are shown as numbers. */
function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
