import type { ManagedKind } from '@headgate/contract';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction.ts';
import type { ManagedRepository } from './managed-repository.ts';

/** Says no to changes, by people, of what a configuration file manages: the next apply would take them back. */
export interface ManagedGuard {
  /** Of rows that have a number. */
  refuseRow(transaction: Transaction, kind: ManagedKind, id: number): Promise<void>;
  /** Of things that are known by their names. */
  refuseNames(transaction: Transaction, kind: ManagedKind, names: readonly string[]): Promise<void>;
  /** The rows of a kind that nobody may change, for those who change many. */
  rows(kind: ManagedKind, transaction: Transaction | undefined): Promise<ReadonlySet<number>>;
}

/** For whoever applies the file. */
export const noGuard: ManagedGuard = {
  refuseRow: async () => undefined,
  refuseNames: async () => undefined,
  rows: async () => new Set(),
};

export const managedGuard = (managed: ManagedRepository): ManagedGuard => ({
  async refuseRow(transaction, kind, id) {
    const name = await managed.within(transaction).findById(kind, id);
    if (name !== undefined) throw managedByFile(name);
  },
  async refuseNames(transaction, kind, names) {
    if (names.length === 0) return;
    const managedNames = await managed.within(transaction).names(kind);
    const name = names.find((each) => managedNames.has(each));
    if (name !== undefined) throw managedByFile(name);
  },
  rows: (kind, transaction) => (transaction ? managed.within(transaction) : managed).ids(kind),
});

export const managedByFile = (name: string): Refusal => new Refusal('managedByFile', { name });
