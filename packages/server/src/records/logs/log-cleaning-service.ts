import { setTimeout as pause } from 'node:timers/promises';
import { logType } from '@headgate/contract';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type HourCleaningRepository, type HourRange, HoursNotWhole } from './hour-cleaning-repository.ts';
import type { Leftovers, LogRepository } from './log-repository.ts';
import type { EventRecord, LogService, LogUser } from './log-service.ts';
import type { MonthCleaningRepository } from './month-cleaning-repository.ts';

/** How often a month that somebody is looking at is tried before its rows are deleted one by one. */
const mostAttempts = 20;
const againAfterMs = 250;

type CleanedMonth = Awaited<ReturnType<MonthCleaningRepository['before']>>[number];

interface LogCleaningServiceDependencies {
  readonly logRepository: LogRepository;
  readonly months: MonthCleaningRepository;
  readonly hours: HourCleaningRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  /** Deletes what is kept of requests before the time; told whether to go on. */
  readonly cleanBodies: (before: number, isStopped: () => boolean) => Promise<void>;
}

export class LogCleaningService {
  readonly #dependencies: LogCleaningServiceDependencies;
  #isRunning = false;
  #isStopped = false;

  constructor(dependencies: LogCleaningServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Deletes the logs before a time, a few at once so that writers get in between, and gives their number. */
  async clean(admin: LogUser, before: number): Promise<number> {
    if (before === 0) throw new Refusal('cleaningTimeRequired');
    if (this.#isRunning) throw new Refusal('alreadyCleaning');
    this.#isRunning = true;
    try {
      return await this.#clean(admin, before);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Ends a cleanup early, for shutting down; what it has not deleted stays. */
  stop(): void {
    this.#isStopped = true;
  }

  async #clean(admin: LogUser, before: number): Promise<number> {
    const { logRepository, logs, inTransaction } = this.#dependencies;
    let left: Leftovers = { from: 0, before, lastId: await logRepository.lastId() };
    let count = 0;
    try {
      await this.#dependencies.cleanBodies(before, () => this.#isStopped);
      for await (const deleted of this.#cleanMonths(left)) count += deleted;
      for await (const deleted of this.#cleanHours(left)) count += deleted;
      while (!this.#isStopped && (await logRepository.hasLeft(left))) {
        const start = performance.now();
        const deleted = await inTransaction((transaction) => logRepository.within(transaction).deleteOldest(left));
        count += deleted.count;
        left = deleted.left;
        await restAfter(start);
      }
    } finally {
      await inTransaction((transaction) => logs.record(transaction, cleaned(admin, count, before)));
    }
    return count;
  }

  /** Whole months that are before the time, each in a moment; what is left of them is deleted with the rest. */
  async *#cleanMonths({ before, lastId }: Leftovers): AsyncGenerator<number> {
    for (const month of await this.#dependencies.months.before(Math.min(before, nowInSeconds()))) {
      for (let attempt = 1; attempt <= mostAttempts && !this.#isStopped; attempt += 1) {
        const count = await this.#emptied(month, lastId);
        if (count !== 'locked') {
          yield count;
          break;
        }
        await pause(againAfterMs);
      }
    }
  }

  /** Whole hours that are left before the time; one that something is to stay of is deleted with the rest. */
  async *#cleanHours({ before, lastId }: Leftovers): AsyncGenerator<number> {
    const { hours } = this.#dependencies;
    let from = Number.MIN_SAFE_INTEGER;
    while (!this.#isStopped) {
      const start = performance.now();
      const range = await hours.next(from, before);
      if (!range) return;
      yield await this.#emptiedHours(range, lastId);
      from = range.end;
      await restAfter(start);
    }
  }

  async #emptiedHours(range: HourRange, lastId: number): Promise<number> {
    const { hours, inTransaction } = this.#dependencies;
    try {
      return await inTransaction((transaction) => hours.within(transaction).empty(range, lastId));
    } catch (error) {
      if (error instanceof HoursNotWhole) return 0;
      throw error;
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

/** As long a rest as the work: half of the time belongs to everybody else. */
const restAfter = (start: number) => pause(performance.now() - start);

const cleaned = (admin: LogUser, count: number, before: number): EventRecord => ({
  type: logType.management,
  event: 'log.cleaned',
  user: admin,
  values: { admin: admin.username, count, time: timeText(before), seconds: before },
});

/** A second beyond what a date can hold stays a number. */
function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
