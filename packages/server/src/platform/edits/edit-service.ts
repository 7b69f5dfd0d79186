import { withTransactionWatch } from '../db/transaction.ts';
import type { EditedRowId } from './edited-row-id.ts';
import type { EditedRowRepository } from './edited-row-repository.ts';
import { computeEtag, GuardedEdit } from './guarded-edit.ts';

interface Changed<Result> {
  readonly result: Result;
  /** Undefined if the row no longer exists. */
  readonly etag: string | undefined;
}

/** Prevents overwriting changes that the caller has not read. */
export class EditService {
  readonly #rows: EditedRowRepository;

  constructor(rows: EditedRowRepository) {
    this.#rows = rows;
  }

  /** ETag that a change must send in If-Match; undefined if the row does not exist. */
  etag(subject: EditedRowId): Promise<string | undefined> {
    return computeEtag(this.#rows, subject);
  }

  /** Makes a change unless the row has changed since the caller read the version in `ifMatch`. */
  async change<Result>(
    subject: EditedRowId,
    ifMatch: string | undefined,
    act: () => Promise<Result>,
  ): Promise<Changed<Result>> {
    const edit = new GuardedEdit(this.#rows, subject, ifMatch);
    const result = await withTransactionWatch(edit, act);
    return { result, etag: await edit.etag() };
  }
}
