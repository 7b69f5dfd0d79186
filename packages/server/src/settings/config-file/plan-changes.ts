import type { ManagedMark } from '../../platform/managed/managed-mark.ts';
import type { DesiredObject, FieldChange, Fields, FieldValue, PlannedChange, StoredObject } from './planned-change.ts';
import { SecretText } from './secret-text.ts';

interface PlanInput {
  readonly kind: ManagedMark['kind'];
  /** In the order of the file. */
  readonly wanted: readonly DesiredObject[];
  /** Stored objects with one of these names, or marked as managed. */
  readonly found: readonly StoredObject[];
  readonly marks: readonly ManagedMark[];
  readonly isPruning: boolean;
}

/** A name in the file matches several stored objects. */
export class AmbiguousNameError extends Error {
  readonly thing: string;
  readonly count: number;

  constructor(item: string, count: number) {
    super(`${count} objects have this name.`);
    this.thing = item;
    this.count = count;
  }
}

/** Changes that make the stored state match the file. Pure. */
export function planChanges({ kind, wanted, found, marks, isPruning }: PlanInput): PlannedChange[] {
  const matches = matchStored(wanted, found, marks);
  const isManaged = new Set(marks.filter(({ isInFile }) => isInFile).map(({ name }) => name));
  const written = wanted.flatMap((one): PlannedChange[] => {
    const there = matches.get(one.name);
    const rename = renameOf(one, there);
    const fields = [...rename, ...differences(there?.fields, one.fields)];
    const isTakenOver = there !== undefined && !isManaged.has(rename.length > 0 ? there.name : one.name);
    const shared = { kind, name: one.name };
    if (!there) return [{ ...shared, action: 'create', wanted: one, found: undefined, fields, isTakenOver }];
    if (fields.length > 0) return [{ ...shared, action: 'change', wanted: one, found: there, fields, isTakenOver }];
    return isTakenOver ? [{ ...shared, action: 'adopt', found: there }] : [];
  });
  const taken = new Set([...matches.values()].map(({ id }) => id).filter((id) => id !== 0));
  const left = marks.filter(({ id }) => !taken.has(id));
  return [...written, ...removedChanges({ kind, wanted, found, marks: left, isPruning })];
}

/** Stored object for each name in the file: the managed one, otherwise the only one with this name. */
export function matchStored(
  wanted: readonly DesiredObject[],
  found: readonly StoredObject[],
  marks: readonly ManagedMark[],
): ReadonlyMap<string, StoredObject> {
  const byId = new Map(found.map((one) => [one.id, one]));
  const byName = Map.groupBy(found, ({ name }) => name);
  const marked = new Map(marks.map((mark) => [mark.name, mark]));
  const isWanted = new Set(wanted.map(({ name }) => name));
  // An object already managed under a name in the file cannot be matched again; a released one can be taken over
  // under another name.
  const claimed = new Set(marks.filter(({ id, name }) => id !== 0 && isWanted.has(name)).map(({ id }) => id));
  const entries = wanted.flatMap((one) => {
    const name = storedNameOf(one, { marked, byName, isWanted });
    const mark = marked.get(name);
    const known = mark && mark.id !== 0 ? byId.get(mark.id) : undefined;
    if (known) return [[one.name, known] as const];
    const namesakes = (byName.get(name) ?? []).filter(({ id }) => !claimed.has(id));
    if (namesakes.length > 1) throw new AmbiguousNameError(name, namesakes.length);
    return namesakes[0] ? [[one.name, namesakes[0]] as const] : [];
  });
  return new Map(entries);
}

interface KnownNames {
  readonly marked: ReadonlyMap<string, ManagedMark>;
  readonly byName: ReadonlyMap<string, readonly StoredObject[]>;
  readonly isWanted: ReadonlySet<string>;
}

/** The previous name, as long as no object has the new one. */
function storedNameOf({ name, previousName }: DesiredObject, { marked, byName, isWanted }: KnownNames): string {
  if (previousName === undefined || isWanted.has(previousName)) return name;
  const isKnown = (one: string) => marked.has(one) || byName.has(one);
  return !isKnown(name) && isKnown(previousName) ? previousName : name;
}

const renameOf = ({ name, previousName }: DesiredObject, there: StoredObject | undefined): FieldChange[] =>
  there !== undefined && there.name === previousName && there.name !== name
    ? [{ field: 'name', before: there.name, after: name }]
    : [];

/** Only objects that the file once managed are ever deleted, and only on request. */
function removedChanges({ kind, wanted, found, marks, isPruning }: PlanInput): PlannedChange[] {
  const isWanted = new Set(wanted.map(({ name }) => name));
  const stored = storedObjectLookup(found);
  return marks.flatMap((mark): PlannedChange[] => {
    if (isWanted.has(mark.name)) return [];
    const there = stored(mark);
    if (!there || (!isPruning && !mark.isInFile)) return [];
    return [{ kind, name: mark.name, action: isPruning ? 'delete' : 'release', found: there }];
  });
}

/** Looks up the object of a mark, if it still exists. */
export function storedObjectLookup(
  found: readonly StoredObject[],
): (mark: Pick<ManagedMark, 'id' | 'name'>) => StoredObject | undefined {
  const byId = new Map(found.map((one) => [one.id, one]));
  const byName = new Map(found.map((one) => [one.name, one]));
  return ({ id, name }) => (id === 0 ? byName.get(name) : byId.get(id));
}

function differences(before: Fields | undefined, after: Fields): FieldChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
  return names
    .map((field) => ({ field, before: before?.[field], after: after[field] }))
    .filter((change) => (before ? !isSame(change.before, change.after) : !isEmpty(change.after)));
}

const plain = (value: FieldValue | undefined): unknown => (value instanceof SecretText ? value.reveal() : value);

/** Treats empty and missing values as equal. */
const isSame = (one: FieldValue | undefined, other: FieldValue | undefined): boolean =>
  (plain(one) ?? '') === (plain(other) ?? '');

const isEmpty = (value: FieldValue | undefined): boolean => value === undefined || plain(value) === '';
