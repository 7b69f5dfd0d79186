import { type Check, type CheckList, checkLists, readChecks } from './check-lists.ts';
import { namedIds } from './named-ids.ts';
import { readTestTitles } from './test-titles.ts';

export interface UnknownId {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

export interface SectionProof {
  readonly section: string;
  readonly proven: number;
  readonly total: number;
  readonly unproven: readonly Check[];
}

/** Ids that tests name but no list has. */
export function unknownIds(root: string): UnknownId[] {
  const known = new Set(checkLists.flatMap((list) => readChecks(root, list).map(({ id }) => id)));
  return readTestTitles(root).flatMap(({ title, file, line }) =>
    namedIds(title)
      .filter((id) => !known.has(id))
      .map((id) => ({ id, file, line })),
  );
}

/** Per section, which checks some test names in its title. */
export function provenSections(root: string, list: CheckList): SectionProof[] {
  const named = new Set(readTestTitles(root).flatMap(({ title }) => namedIds(title)));
  const sections = Map.groupBy(readChecks(root, list), ({ section }) => section);
  return [...sections].map(([section, checks]) => {
    const unproven = checks.filter(({ id }) => !named.has(id));
    return { section, proven: checks.length - unproven.length, total: checks.length, unproven };
  });
}
