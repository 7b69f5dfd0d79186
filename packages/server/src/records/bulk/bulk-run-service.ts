import { randomBytes } from 'node:crypto';
import { parseJson } from '@headgate/dialects';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { UndoRow } from './bulk-plan.ts';
import type { BulkRunRepository } from './bulk-run-repository.ts';

const undoRetentionSeconds = 86_400;
/** Default number of changes per subject that can be undone. */
const maxUndoableRuns = 50;

/** Stores the previous values of bulk changes for a day, so that they can be undone. */
export class BulkRunService {
  readonly #runs: BulkRunRepository;

  constructor(runs: BulkRunRepository) {
    this.#runs = runs;
  }

  /** Returns a random undo id; empty if there is nothing to undo. */
  async keep(
    transaction: Transaction,
    subject: string,
    rows: readonly UndoRow[],
    max: number = maxUndoableRuns,
  ): Promise<string> {
    if (rows.length === 0) return '';
    const now = nowInSeconds();
    const id = randomBytes(16).toString('hex');
    const runs = this.#runs.within(transaction);
    await runs.removeBefore(now - undoRetentionSeconds);
    await runs.removeOlder(subject, max - 1);
    await runs.insert({ id, subject, created_time: now, rows: JSON.stringify(rows) });
    return id;
  }

  /** Each run can be undone once, within a day. */
  async take(transaction: Transaction, subject: string, id: string): Promise<readonly UndoRow[] | undefined> {
    const rows = await this.#runs.within(transaction).take(subject, id, nowInSeconds() - undoRetentionSeconds);
    return rows === undefined ? undefined : (parseJson(rows) as UndoRow[] | undefined);
  }
}
