import { AsyncLocalStorage } from 'node:async_hooks';
import { resolvesWithin } from '../runtime/resolves-within.ts';
import { type ChangeAnnouncement, requireConfirmation } from './await-confirmation.ts';
import type { Change, ChangeFeed, Subject } from './change-feed.ts';
import type { Database } from './database.ts';

export type { Change };

/** Atomic unit of work. Repositories join it with `within`; services only pass it on. */
export interface Transaction {
  readonly database: Database;
  /** Notifies every node, including this one, after the commit. */
  changed(subject: Subject): void;
  /** Runs after all other work, just before the commit. */
  beforeCommit(work: () => Promise<void>): void;
  /** Must not throw. */
  afterCommit(work: () => void): void;
}

/** Observes the change that a transaction makes. */
export interface TransactionWatch {
  /** Called right after the transaction has started. */
  begun(transaction: Transaction): Promise<void>;
  /** Called when the transaction's work is done; throwing rolls it back. */
  ending(transaction: Transaction): Promise<void>;
}

const watches = new AsyncLocalStorage<{ watch: TransactionWatch | undefined }>();

/** Runs an action and watches its first transaction; later ones are not watched. */
export const withTransactionWatch = <Result>(watch: TransactionWatch, act: () => Result): Result =>
  watches.run({ watch }, act);

function takeWatch(): TransactionWatch | undefined {
  const current = watches.getStore();
  const watch = current?.watch;
  if (current) current.watch = undefined;
  return watch;
}

export type InTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** Maximum wait after a commit until this node has applied the change. */
const applyPatienceMs = 10_000;

export const createTransactions =
  (database: Database, feed: ChangeFeed): InTransaction =>
  async (work) => {
    const subjects = new Set<Subject>();
    const committed: (() => void)[] = [];
    const watch = takeWatch();
    let announcement: ChangeAnnouncement | undefined;
    const committing = database.transaction().execute(async (connection) => {
      const last: (() => Promise<void>)[] = [];
      const transaction: Transaction = {
        database: connection,
        changed: (subject) => subjects.add(subject),
        beforeCommit: (lastWork) => void last.push(lastWork),
        afterCommit: (work) => void committed.push(work),
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
    for (const done of committed) done();
    if (subjects.size === 0) return result;
    const applying = feed.applyLocally([...subjects]).then((isApplied) => {
      if (isApplied) announcement?.applied();
    });
    // Caches are refreshed between batches of charges, so this could block indefinitely while charges cannot be stored.
    await resolvesWithin(applying, applyPatienceMs);
    if (announcement) requireConfirmation(announcement);
    return result;
  };
