import type { ManagedKind, OptionValues } from '@headgate/contract';
import type { FileDocument } from '../file-schema.ts';
import type { FileServices } from '../kinds/object-kind.ts';
import type { VariableNames } from './variable-names.ts';

export interface DumpContext {
  readonly services: FileServices;
  readonly options: OptionValues;
  readonly variables: VariableNames;
  /** Names of the tokens in the file. Each belongs to one token only. */
  readonly tokens: ReadonlySet<string>;
  /** Records an object that is left out of the file. */
  leave(kind: ManagedKind, name: string, why: string): void;
}

/** Entries of one section by name. */
export interface DumpSection {
  readonly kind: ManagedKind;
  readonly section: keyof FileDocument;
  entries(dumping: DumpContext): Promise<readonly (readonly [string, unknown])[]>;
}

/** Undefined for a default value. */
export const omitDefault = <Value>(value: Value, ...usual: readonly Value[]): Value | undefined =>
  usual.some((one) => JSON.stringify(one) === JSON.stringify(value)) ? undefined : value;

/** Objects with a unique name; others would be ambiguous in a file. */
export function withUniqueNames<Resource>(
  things: readonly Resource[],
  nameOf: (resource: Resource) => string,
  leave: (name: string) => void,
): Resource[] {
  const byName = Map.groupBy(things, nameOf);
  return [...byName].flatMap(([name, namesakes]) => {
    if (namesakes.length === 1) return namesakes;
    leave(name);
    return [];
  });
}
