import type { ManagedKind } from '@headgate/contract';
import type { Transaction } from '../db/transaction.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ManagedRepository } from './managed-repository.ts';

/** Says no to changes, by people, of what a configuration file manages: the next apply would take them back. */
export interface ManagedGuard {
  /** Of rows that have a number. */
  refuseRow(transaction: Transaction, kind: ManagedKind, id: number): Promise<void>;
  /** Of things that are known by their names. */
  refuseNames(transaction: Transaction, kind: ManagedKind, names: readonly string[]): Promise<void>;
  /** Until the change is made no file is applied: for who looks at the marks by himself. */
  hold(transaction: Transaction): Promise<void>;
  /** Of what all things of a kind depend on. */
  refuseAll(transaction: Transaction, kind: ManagedKind): Promise<void>;
  /** The rows of a kind that nobody may change, for those who change many. */
  rows(kind: ManagedKind, transaction: Transaction | undefined): Promise<ReadonlySet<number>>;
}

/** For whoever applies the file. */
export const noGuard: ManagedGuard = {
  refuseRow: async () => undefined,
  refuseNames: async () => undefined,
  hold: async () => undefined,
  refuseAll: async () => undefined,
  rows: async () => new Set(),
};

export const managedGuard = (managed: ManagedRepository): ManagedGuard => ({
  async refuseRow(transaction, kind, id) {
    const name = await (await marksFor(managed, transaction)).findById(kind, id);
    if (name !== undefined) throw managedByFile(name);
  },
  async refuseNames(transaction, kind, names) {
    if (names.length === 0) return;
    const managedNames = await (await marksFor(managed, transaction)).names(kind);
    const name = names.find((each) => managedNames.has(each));
    if (name !== undefined) throw managedByFile(name);
  },
  async hold(transaction) {
    await marksFor(managed, transaction);
  },
  async refuseAll(transaction, kind) {
    const [name] = await (await marksFor(managed, transaction)).names(kind);
    if (name !== undefined) throw managedByFile(name);
  },
  rows: async (kind, transaction) => (transaction ? await marksFor(managed, transaction) : managed).ids(kind),
});

/** The marks as they are until the change is made: no file is applied meanwhile. */
async function marksFor(managed: ManagedRepository, transaction: Transaction): Promise<ManagedRepository> {
  const marks = managed.within(transaction);
  if (!(await marks.tryLockOut())) throw new Refusal('fileBeingApplied');
  return marks;
}

export const managedByFile = (name: string): Refusal => new Refusal('managedByFile', { name });
