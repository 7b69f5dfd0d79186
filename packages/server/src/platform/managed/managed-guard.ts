import type { ManagedKind } from '@headgate/contract';
import type { Transaction } from '../db/transaction.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ManagedRepository } from './managed-repository.ts';

/** Rejects manual changes to objects managed by a configuration file, which the next apply would revert. */
export interface ManagedGuard {
  /** For rows with an id. */
  rejectRow(transaction: Transaction, kind: ManagedKind, id: number): Promise<void>;
  /** For objects identified by name. */
  rejectNames(transaction: Transaction, kind: ManagedKind, names: readonly string[]): Promise<void>;
  /** Blocks applies until the change is made; used by callers that check the marks themselves. */
  hold(transaction: Transaction): Promise<void>;
  /** For changes that affect all objects of a kind. */
  rejectAll(transaction: Transaction, kind: ManagedKind): Promise<void>;
  /** Managed rows of a kind, for bulk changes. */
  rows(kind: ManagedKind, transaction: Transaction | undefined): Promise<ReadonlySet<number>>;
  /** Managed objects identified by name. */
  names(kind: ManagedKind): Promise<ReadonlySet<string>>;
}

/** Used when the file itself is applied. */
export const noManagedGuard: ManagedGuard = {
  rejectRow: async () => undefined,
  rejectNames: async () => undefined,
  hold: async () => undefined,
  rejectAll: async () => undefined,
  rows: async () => new Set(),
  names: async () => new Set(),
};

export const managedGuard = (managed: ManagedRepository): ManagedGuard => ({
  async rejectRow(transaction, kind, id) {
    const name = await (await marksFor(managed, transaction)).findById(kind, id);
    if (name !== undefined) throw managedByFileError(name);
  },
  async rejectNames(transaction, kind, names) {
    if (names.length === 0) return;
    const managedNames = await (await marksFor(managed, transaction)).names(kind);
    const name = names.find((each) => managedNames.has(each));
    if (name !== undefined) throw managedByFileError(name);
  },
  async hold(transaction) {
    await marksFor(managed, transaction);
  },
  async rejectAll(transaction, kind) {
    const [name] = await (await marksFor(managed, transaction)).names(kind);
    if (name !== undefined) throw managedByFileError(name);
  },
  rows: async (kind, transaction) => (transaction ? await marksFor(managed, transaction) : managed).ids(kind),
  names: async (kind) => new Set(await managed.names(kind)),
});

/** The marks, locked until the change is made, so that no file is applied in the meantime. */
async function marksFor(managed: ManagedRepository, transaction: Transaction): Promise<ManagedRepository> {
  const marks = managed.within(transaction);
  if (!(await marks.tryLockOut())) throw new ApiError('fileBeingApplied');
  return marks;
}

export const managedByFileError = (name: string): ApiError => new ApiError('managedByFile', { name });
