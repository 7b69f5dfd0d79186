import { isDeepStrictEqual } from 'node:util';
import type { ManagedKind } from '@headgate/contract';
import type { ManagedMark, ManagedMarks } from '../../platform/managed/managed-mark.ts';
import type { ConfigFile } from './config-file.ts';
import { type KindPlan, planFile } from './file-plan.ts';
import type { FileServices, WriteContext } from './kinds/object-kind.ts';
import { storedObjectLookup } from './plan-changes.ts';
import type { PlannedChange, WrittenChange } from './planned-change.ts';

interface Applying {
  readonly services: FileServices;
  readonly managed: ManagedMarks;
  readonly isPruning: boolean;
  /** True for a dry run, which is rolled back and does not lock out other writers. */
  readonly isRehearsal: boolean;
}

/** Makes the stored state match the file, in the transaction of the services: all or nothing. */
export async function applyFile(
  file: ConfigFile,
  { services, managed, isPruning, isRehearsal }: Applying,
): Promise<PlannedChange[]> {
  await (isRehearsal ? managed.lockOut() : managed.lock());
  const marks = await managed.marks();
  const plans = await planFile(file, services, { marks, isPruning });
  rejectEmptyFile(file, plans);
  for (const { kind, changes } of plans.toReversed()) {
    const gone = changes.flatMap((change) => (change.action === 'delete' ? [change.found] : []));
    if (gone.length > 0)
      await kind.remove(services, gone).catch((error: unknown) => {
        throw file.withPlace([kind.section], error);
      });
  }
  const ids = new Map<string, number>();
  for (const plan of plans) await writeKind(plan, { file, services, ids });
  const after = marksAfter(plans, marks, ids);
  if (!isDeepStrictEqual(after, marks)) await managed.replaceAll(after);
  return plans.flatMap(({ changes }) => changes);
}

/** A truncated or empty file must not delete everything. */
function rejectEmptyFile(file: ConfigFile, plans: readonly KindPlan[]): void {
  if (plans.some(({ wanted }) => wanted.length > 0)) return;
  const count = plans.flatMap(({ changes }) => changes).filter(({ action }) => action === 'delete').length;
  if (count === 0) return;
  const text = `is empty: --prune would delete all ${count} objects it has managed. Without --prune they stay and can be edited in the console.`;
  throw file.errorAt([], text);
}

interface Writer {
  readonly file: ConfigFile;
  readonly services: FileServices;
  /** Ids of the managed objects, by kind and name. */
  readonly ids: Map<string, number>;
}

const keyOf = (kind: ManagedKind, name: string): string => `${kind} ${name}`;

async function writeKind({ kind, wanted, matches, changes }: KindPlan, { file, services, ids }: Writer): Promise<void> {
  for (const [name, { id }] of matches) ids.set(keyOf(kind.kind, name), id);
  const written = changes.filter(
    (change): change is WrittenChange => change.action === 'create' || change.action === 'change',
  );
  if (written.length === 0) return;
  const writing: WriteContext<unknown> = {
    services,
    wanted,
    at: async (name, work) => {
      try {
        return await work();
      } catch (error) {
        throw file.withPlace(name === '' ? [kind.section] : [kind.section, name], error);
      }
    },
    idOf: (ofKind, name) => ids.get(keyOf(ofKind, name)),
  };
  const made = await writing.at('', () => kind.write(writing, written));
  for (const [index, { name }] of written.entries()) ids.set(keyOf(kind.kind, name), made[index] ?? 0);
}

/** Marks for every object in the file, and for released objects that may still be pruned. Sorted like stored marks. */
function marksAfter(
  plans: readonly KindPlan[],
  before: readonly ManagedMark[],
  ids: ReadonlyMap<string, number>,
): ManagedMark[] {
  const kept = plans.flatMap(({ kind: { kind }, wanted, found, changes }) => {
    const inFile = wanted.map(
      ({ name }): ManagedMark => ({ kind, name, id: ids.get(keyOf(kind, name)) ?? 0, isInFile: true }),
    );
    const isWanted = new Set(wanted.map(({ name }) => name));
    const isGone = new Set(changes.flatMap(({ action, name }) => (action === 'delete' ? [name] : [])));
    // Objects that were renamed in the file.
    const isRenamed = new Set(inFile.map(({ id }) => id).filter((id) => id !== 0));
    const stored = storedObjectLookup(found);
    const left = before.filter(
      (mark) =>
        mark.kind === kind &&
        !isWanted.has(mark.name) &&
        !isGone.has(mark.name) &&
        !isRenamed.has(mark.id) &&
        stored(mark) !== undefined,
    );
    return [...inFile, ...left.map((mark) => ({ ...mark, isInFile: false }))];
  });
  return kept.sort(inOrder);
}

const inOrder = (one: ManagedMark, other: ManagedMark): number =>
  one.kind === other.kind ? (one.name < other.name ? -1 : 1) : one.kind < other.kind ? -1 : 1;
