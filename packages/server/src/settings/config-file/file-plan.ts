import { defaultOptions, type OptionValues } from '@headgate/contract';
import type { ManagedMark } from '../../platform/managed/managed-mark.ts';
import type { ConfigFile } from './config-file.ts';
import { allKinds } from './kinds/all-kinds.ts';
import { type FileServices, type ObjectKind, storedOptions } from './kinds/object-kind.ts';
import { AmbiguousNameError, matchStored, planChanges } from './plan-changes.ts';
import type { DesiredObject, PlannedChange, StoredObject } from './planned-change.ts';

/** Wanted and stored objects of one kind, with the necessary changes. */
export interface KindPlan {
  readonly kind: ObjectKind;
  readonly wanted: readonly DesiredObject[];
  readonly found: readonly StoredObject[];
  readonly matches: ReadonlyMap<string, StoredObject>;
  readonly changes: readonly PlannedChange[];
}

interface PlanOptions {
  readonly marks: readonly ManagedMark[];
  /** True if objects that were removed from the file are deleted. */
  readonly isPruning: boolean;
}

/** Compares a file with the stored state. Read-only; throws ConfigFileError for an invalid file. */
export async function planFile(file: ConfigFile, services: FileServices, format: PlanOptions): Promise<KindPlan[]> {
  const after = optionsAfter(file, await storedOptions(services), format);
  const plans: KindPlan[] = [];
  for (const kind of allKinds) plans.push(await planKind(kind, { file, services, format, after }));
  return plans;
}

/** Checks all entries and secrets of a file without a database; throws ConfigFileError. */
export function validateFile(file: ConfigFile): ConfigFile {
  const after = optionsAfter(file, defaultOptions, { marks: [], isPruning: false });
  for (const kind of allKinds) kind.wanted(file, after);
  return file;
}

interface Planning {
  readonly file: ConfigFile;
  readonly services: FileServices;
  readonly format: PlanOptions;
  readonly after: OptionValues;
}

async function planKind(kind: ObjectKind, { file, services, format, after }: Planning): Promise<KindPlan> {
  const marks = format.marks.filter((mark) => mark.kind === kind.kind);
  const wanted = kind.wanted(file, after);
  const sought = {
    wanted,
    names: [
      ...new Set([
        ...wanted.flatMap(({ name, previousName = name }) => [name, previousName]),
        ...marks.filter(({ id }) => id === 0).map(({ name }) => name),
      ]),
    ],
    ids: marks.map(({ id }) => id).filter((id) => id !== 0),
  };
  const found = await kind.found(services, sought, after);
  try {
    const changes = planChanges({ kind: kind.kind, wanted, found, marks, isPruning: format.isPruning });
    return { kind, wanted, found, matches: matchStored(wanted, found, marks), changes };
  } catch (error) {
    if (!(error instanceof AmbiguousNameError)) throw error;
    const text = `matches ${error.count} objects of that name: rename all but one in the console.`;
    throw file.errorAt([kind.section, error.thing], text);
  }
}

/** Options after the file is applied: a file may change QuotaPerUnit together with dollar prices. */
function optionsAfter(file: ConfigFile, stored: OptionValues, { marks, isPruning }: PlanOptions): OptionValues {
  const given = file.document.options?.['QuotaPerUnit'];
  if (typeof given === 'number') return { ...stored, QuotaPerUnit: given };
  const isPruned = isPruning && marks.some(({ kind, name }) => kind === 'option' && name === 'QuotaPerUnit');
  return isPruned ? { ...stored, QuotaPerUnit: defaultOptions.QuotaPerUnit } : stored;
}
