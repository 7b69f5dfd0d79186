import { watching } from '../db/transaction.ts';
import type { EditedRowRepository } from './edited-row-repository.ts';
import { etagOf, ThingEdit, type ThingId } from './thing-edit.ts';

interface Changed<Result> {
  readonly result: Result;
  /** Undefined: the thing is gone. */
  readonly etag: string | undefined;
}

/** Sees to it that nobody overwrites what he has not read. */
export class EditService {
  readonly #rows: EditedRowRepository;

  constructor(rows: EditedRowRepository) {
    this.#rows = rows;
  }

  /** What a change of the thing has to say so as to be made; undefined: there is no such thing. */
  etag(subject: ThingId): Promise<string | undefined> {
    return etagOf(this.#rows, subject);
  }

  /** Makes a change, unless somebody else has made one since the caller read what `ifMatch` says. */
  async change<Result>(
    subject: ThingId,
    ifMatch: string | undefined,
    act: () => Promise<Result>,
  ): Promise<Changed<Result>> {
    const edit = new ThingEdit(this.#rows, subject, ifMatch);
    const result = await watching(edit, act);
    return { result, etag: await edit.etag() };
  }
}
