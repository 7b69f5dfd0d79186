import { setTimeout as pause } from 'node:timers/promises';
import type { AlertEvent } from '../alerts/alert-event.ts';
import { firstBatch, type LogBatch } from './log-batch.ts';
import {
  type LogDestinationRepository,
  type LogDestinationRow,
  maxRetrySeconds,
} from './log-destination-repository.ts';

interface LogExporterDependencies {
  readonly exports: LogDestinationRepository;
  /** Highest id below which no log is missing; undefined while an insert is in progress. */
  readonly lastCompleteId: () => Promise<number | undefined>;
  readonly maxRows: (row: LogDestinationRow) => number;
  /** Sends a batch; throws if it may not have been stored. */
  readonly send: (row: LogDestinationRow, batch: LogBatch) => Promise<string>;
  /** Error text without secrets. */
  readonly describe: (row: LogDestinationRow, error: unknown) => string;
  readonly raise: (event: AlertEvent) => void;
  readonly now: () => number;
  readonly everyMs?: number | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Longer than sending one batch can take. */
const leaseMs = 120_000;
const defaultMs = 60_000;
/** Less than the interval, so that a timer that fires early does not skip a round. */
const restSeconds = 30;
/** Maximum time per turn, after which the next destination is served. */
const turnSeconds = 10;
/** How long the shutdown waits for a batch. */
const shutdownGraceMs = 5000;

export interface ExportLag {
  readonly id: number;
  readonly name: string;
  readonly seconds: number;
}

/**
 * Sends new logs to all destinations at intervals. The cursor of a destination moves after a batch is stored, so a
 * crash repeats a batch but never skips one.
 */
export class LogExporter {
  readonly #dependencies: LogExporterDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** True if a turn ended before all logs were sent. */
  #isBehind = false;
  /** Lag of each enabled destination at the last check. */
  lags: readonly ExportLag[] = [];

  constructor(dependencies: LogExporterDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    if (this.#isClosed) return;
    const waitMs = this.#isBehind ? 0 : (this.#dependencies.everyMs ?? defaultMs);
    this.#timer = setTimeout(() => {
      this.#running = this.sendDue()
        .catch(this.#dependencies.onFailure)
        .then(() => this.start());
    }, waitMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // A slow destination does not delay the shutdown: another node or the next start repeats the batch.
    await Promise.race([this.#running, pause(shutdownGraceMs, undefined, { ref: false })]);
  }

  /** Sends to all destinations that are due and not leased by another node. */
  async sendDue(): Promise<void> {
    const { exports, now } = this.#dependencies;
    this.#isBehind = false;
    for (let left = (await exports.all()).length; left > 0 && !this.#isClosed; left -= 1) {
      const row = await exports.lease(now(), leaseMs);
      if (!row) break;
      await this.#sendTurn(row);
    }
    this.lags = await this.#readLags();
  }

  async lagOf({ cursor_id }: Pick<LogDestinationRow, 'cursor_id'>): Promise<number> {
    const { exports, now } = this.#dependencies;
    const oldest = await exports.firstTime(cursor_id);
    return oldest === undefined ? 0 : Math.max(0, now() - oldest);
  }

  /** Sends batches until all logs are sent or the turn is over. */
  async #sendTurn(first: LogDestinationRow): Promise<void> {
    const { exports, now, lastCompleteId } = this.#dependencies;
    const bound = await lastCompleteId();
    const end = now() + turnSeconds;
    let row: LogDestinationRow | undefined = first;
    let isOver = false;
    try {
      while (row && bound !== undefined && !isOver && !this.#isClosed) {
        const batch = await this.#nextBatch(row, bound);
        if (!batch) break;
        await this.#dependencies.send(row, batch);
        row = await exports.advance(row, { to: batch.lastId, rows: batch.rows.length, now: now(), leaseMs });
        isOver = now() >= end;
      }
      this.#isBehind ||= isOver;
      await exports.update(first.id, { leased_ms: 0, next_time: now() + (isOver ? 0 : restSeconds) });
    } catch (error) {
      await this.#failed(row ?? first, error);
    }
  }

  /** Pauses for as long as the read took, to leave time for requests. */
  async #nextBatch(row: LogDestinationRow, bound: number): Promise<LogBatch | undefined> {
    const began = performance.now();
    const batch = firstBatch(
      await this.#dependencies.exports.logs(row.cursor_id, bound, this.#dependencies.maxRows(row)),
    );
    await pause(performance.now() - began);
    return batch;
  }

  async #failed(row: LogDestinationRow, error: unknown): Promise<void> {
    const { exports, describe, raise, now } = this.#dependencies;
    const tries = row.tries + 1;
    const last_error = describe(row, error);
    const next_time = now() + Math.min(maxRetrySeconds, restSeconds * 2 ** Math.min(tries - 1, 10));
    await exports.update(row.id, { last_error, tries, next_time, leased_ms: 0 });
    const seconds = await this.lagOf(row);
    raise({
      kind: 'log_export',
      subject: `log_export:${row.id}`,
      page: '/log-export',
      values: { export: row.name, seconds, reason: last_error },
      isFor: ({ threshold }) => seconds > threshold,
    });
  }

  async #readLags(): Promise<readonly ExportLag[]> {
    const enabled = (await this.#dependencies.exports.all()).filter((row) => row.enabled === 1);
    const lags: ExportLag[] = [];
    for (const row of enabled) lags.push({ id: row.id, name: row.name, seconds: await this.lagOf(row) });
    return lags;
  }
}
