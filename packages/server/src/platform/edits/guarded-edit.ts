import { createHash } from 'node:crypto';
import type { Transaction, TransactionWatch } from '../db/transaction.ts';
import { ApiError } from '../errors/api-error.ts';
import type { EditedRowId } from './edited-row-id.ts';
import type { EditedRowRepository } from './edited-row-repository.ts';

/** ETag of the editable fields; undefined if the row does not exist. */
export async function computeEtag(rows: EditedRowRepository, row: EditedRowId): Promise<string | undefined> {
  const { thing, id } = row;
  const values = await rows.read(row);
  if (!values) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([thing, id, ...values]));
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Longer than any valid list. */
const maxHeaderLength = 1000;

/** True if If-Match contains the ETag. Compressing proxies make ETags weak, so the weak mark is ignored. */
function isMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  if (ifMatch.length > maxHeaderLength) return false;
  return ifMatch.split(',').some((part) => part.trim().replace(/^W\//, '') === etag);
}

/**
 * A change to one row, rejected if the row has changed since the caller read it. The check runs in the transaction with
 * the row locked, so that one of two changes based on the same read is rejected. It runs last, so that callers who may
 * not see the row get their usual error.
 */
export class GuardedEdit implements TransactionWatch {
  readonly #rows: EditedRowRepository;
  readonly #subject: EditedRowId;
  readonly #ifMatch: string | undefined;
  #isStale = false;
  #hasEnded = false;
  #etag: string | undefined;

  constructor(rows: EditedRowRepository, subject: EditedRowId, ifMatch: string | undefined) {
    this.#rows = rows;
    this.#subject = subject;
    this.#ifMatch = ifMatch;
  }

  async begun(transaction: Transaction): Promise<void> {
    if (this.#ifMatch === undefined) return;
    const rows = this.#rows.within(transaction);
    await rows.lock(this.#subject);
    this.#testAndApply(await computeEtag(rows, this.#subject));
  }

  async ending(transaction: Transaction): Promise<void> {
    this.#rejectStale();
    this.#etag = await computeEtag(this.#rows.within(transaction), this.#subject);
    this.#hasEnded = true;
  }

  /** ETag of the stored row, even if the call changed nothing and started no transaction. */
  async etag(): Promise<string | undefined> {
    if (this.#hasEnded) return this.#etag;
    const stored = await computeEtag(this.#rows, this.#subject);
    this.#testAndApply(stored);
    this.#rejectStale();
    return stored;
  }

  #testAndApply(etag: string | undefined): void {
    this.#isStale = this.#ifMatch !== undefined && etag !== undefined && !isMatch(this.#ifMatch, etag);
  }

  #rejectStale(): void {
    if (this.#isStale) throw new ApiError('changedMeanwhile');
  }
}
