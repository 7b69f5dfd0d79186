import { type Announcement, toBeConfirmed } from './confirming.ts';
import type { Change, ChangeFeed, Subject } from './db/change-feed.ts';
import type { Database } from './db/database.ts';
import { takeWatchedEdit } from './edits/watched-edit.ts';

export type { Change };

/** Work that happens as a whole or not at all. Repositories join it by `within`; services only pass it on. */
export interface Transaction {
  readonly database: Database;
  /** Tells every node, this one included, once the work is committed. */
  changed(subject: Subject): void;
  /** Done after all other work, just before the commit. */
  beforeCommit(work: () => Promise<void>): void;
}

export type InTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

export const transactionsOf =
  (database: Database, feed: ChangeFeed): InTransaction =>
  async (work) => {
    const subjects = new Set<Subject>();
    const edit = takeWatchedEdit();
    let announcement: Announcement | undefined;
    const committing = database.transaction().execute(async (connection) => {
      const last: (() => Promise<void>)[] = [];
      await edit?.begun(connection);
      const given = await work({
        database: connection,
        changed: (subject) => subjects.add(subject),
        beforeCommit: (lastWork) => void last.push(lastWork),
      });
      await edit?.ending(connection);
      for (const lastWork of last) await lastWork();
      announcement = await feed.announce(connection, [...subjects]);
      return given;
    });
    const result = await committing.catch((error: unknown) => {
      announcement?.forget();
      throw error;
    });
    const isApplied = await feed.tell([...subjects]);
    if (announcement) {
      if (isApplied) announcement.applied();
      toBeConfirmed(announcement);
    }
    return result;
  };
