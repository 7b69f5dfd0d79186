import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import { RollupRepository } from './rollup-repository.ts';

/** Logs of one step: few on SQLite, where nothing else runs meanwhile. */
const logsPerStep = { sqlite: 1000, postgres: 10_000 } as const;

/** For commands, which keep nobody waiting. */
const logsPerLongStep = 50_000;

const everyMs = 15_000;
/** Attempts of a caller that needs all logs of now in the rollups, while other nodes insert or roll up. */
const mostAttempts = 100;
const retryMs = 100;

interface RollupServiceDependencies {
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
}

/** Adds all logs to the rollups, for commands that write many. */
export async function rollUpAll(database: Database): Promise<void> {
  const rollups = new RollupRepository(database);
  const bound = await rollups.lastCompleteId();
  while (bound !== undefined && (await rollups.advance(bound, logsPerLongStep)) === false);
}

/** Adds new logs to the rollups from time to time. Of several nodes, one does at a time. */
export class RollupService {
  readonly #rollups: RollupRepository;
  readonly #logsPerStep: number;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ database, onFailure }: RollupServiceDependencies) {
    this.#rollups = new RollupRepository(database);
    this.#logsPerStep = isPostgres(database) ? logsPerStep.postgres : logsPerStep.sqlite;
    this.#onFailure = onFailure;
  }

  start(afterMs = everyMs): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.rollUp()
        .catch(this.#onFailure)
        .then(() => this.start());
    }, afterMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Adds the logs that are there now. False when an insert or another node was in the way. */
  async rollUp(): Promise<boolean> {
    const bound = await this.#rollups.lastCompleteId();
    if (bound === undefined) return false;
    for (;;) {
      const start = performance.now();
      const isDone = await this.#rollups.advance(bound, this.#logsPerStep);
      if (isDone !== false || this.#isClosed) return isDone === true;
      // Half of the time is left to requests.
      await pause(performance.now() - start);
    }
  }

  /** The same, and waits for other nodes. Gives the id of the last log in the rollups. */
  async catchUp(): Promise<number> {
    for (let attempt = 1; attempt < mostAttempts && !(await this.rollUp()); attempt += 1) await pause(retryMs);
    return this.#rollups.rolledUpTo();
  }
}
