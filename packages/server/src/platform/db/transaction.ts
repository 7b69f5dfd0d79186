import { AsyncLocalStorage } from 'node:async_hooks';
import { resolvesWithin } from '../runtime/resolves-within.ts';
import type { Change, ChangeFeed, Subject } from './change-feed.ts';
import { type Announcement, toBeConfirmed } from './confirming.ts';
import type { Database } from './database.ts';

export type { Change };

/** Work that happens as a whole or not at all. Repositories join it by `within`; services only pass it on. */
export interface Transaction {
  readonly database: Database;
  /** Tells every node, this one included, once the work is committed. */
  changed(subject: Subject): void;
  /** Done after all other work, just before the commit. */
  beforeCommit(work: () => Promise<void>): void;
}

/** Looks after the change that a transaction makes. */
export interface TransactionWatch {
  /** Just after it has begun. */
  begun(transaction: Transaction): Promise<void>;
  /** When its work is done: what is refused here does not happen. */
  ending(transaction: Transaction): Promise<void>;
}

const watches = new AsyncLocalStorage<{ watch: TransactionWatch | undefined }>();

/** Does something of which the first transaction, and no later one, is watched. */
export const watching = <Result>(watch: TransactionWatch, act: () => Result): Result => watches.run({ watch }, act);

function takeWatch(): TransactionWatch | undefined {
  const held = watches.getStore();
  const watch = held?.watch;
  if (held) held.watch = undefined;
  return watch;
}

export type InTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** How long a change that is committed waits until this node has applied it. */
const applyPatienceMs = 10_000;

export const transactionsOf =
  (database: Database, feed: ChangeFeed): InTransaction =>
  async (work) => {
    const subjects = new Set<Subject>();
    const watch = takeWatch();
    let announcement: Announcement | undefined;
    const committing = database.transaction().execute(async (connection) => {
      const last: (() => Promise<void>)[] = [];
      const transaction: Transaction = {
        database: connection,
        changed: (subject) => subjects.add(subject),
        beforeCommit: (lastWork) => void last.push(lastWork),
      };
      await watch?.begun(transaction);
      const given = await work(transaction);
      await watch?.ending(transaction);
      for (const lastWork of last) await lastWork();
      announcement = await feed.announce(connection, [...subjects]);
      return given;
    });
    const result = await committing.catch((error: unknown) => {
      announcement?.forget();
      throw error;
    });
    if (subjects.size === 0) return result;
    const applying = feed.tell([...subjects]).then((isApplied) => {
      if (isApplied) announcement?.applied();
    });
    // Memory is refreshed between two groups of charges: while none can be stored, that may take without end.
    await resolvesWithin(applying, applyPatienceMs);
    if (announcement) toBeConfirmed(announcement);
    return result;
  };
