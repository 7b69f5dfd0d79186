import { type Check, type CheckList, checkLists, listFaults, readChecks } from './check-lists.ts';
import { readTestTitles } from './test-titles.ts';

/** A title with more ids would list everything the test touches instead of what it proves. */
const maxIdsInTitle = 6;

export interface ProvenCheck extends Check {
  /** Tests that name it, as "file › title". */
  readonly provenBy: readonly string[];
}

export interface SectionProof {
  readonly section: string;
  readonly checks: readonly ProvenCheck[];
}

/** A check without a test or a decision. */
export const isUncovered = ({ provenBy, decision }: ProvenCheck): boolean =>
  provenBy.length === 0 && decision === undefined;

/** Per section, the tests that name each check in their titles. */
export function provenSections(root: string, list: CheckList): SectionProof[] {
  const proofs = new Map<string, string[]>();
  for (const { title, file } of readTestTitles(root)) {
    for (const id of namedIds(title)) proofs.set(id, [...(proofs.get(id) ?? []), `${file} › ${withoutIds(title)}`]);
  }
  const sections = Map.groupBy(readChecks(root, list), ({ section }) => section);
  return [...sections].map(([section, checks]) => ({
    section,
    checks: checks.map((check) => ({ ...check, provenBy: proofs.get(check.id) ?? [] })),
  }));
}

/** Faults of the lists and of ids in titles: unknown ones, and too many in one title. */
export function idFaults(root: string): string[] {
  const known = new Set(checkLists.flatMap((list) => readChecks(root, list).map(({ id }) => id)));
  const inTitles = readTestTitles(root).flatMap(({ title, file, line }) => {
    const ids = namedIds(title);
    const unknown = ids
      .filter((id) => !known.has(id))
      .map((id) => `${file}:${line} names ${id}, which does not exist.`);
    if (ids.length <= maxIdsInTitle) return unknown;
    return [...unknown, `${file}:${line} names ${ids.length} ids in one title; the maximum is ${maxIdsInTitle}.`];
  });
  return [...checkLists.flatMap((list) => listFaults(root, list)), ...inTitles];
}

const withoutIds = (title: string): string => title.replace(/\[[SA]\d[^\]]*\]\s*/g, '').trim();

/**
 * Check ids in square brackets of a title: `[S2.44 S2.45] login`, `[S2.86-93, A7.1] lists`. Malformed ids are
 * returned unchanged, so that they are reported as unknown.
 */
function namedIds(title: string): string[] {
  return [...title.matchAll(/\[([SA]\d[^\]]*)\]/g)].flatMap(([, inside = '']) =>
    inside
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .flatMap(expanded),
  );
}

function expanded(word: string): string[] {
  const range = /^([SA]\d+)\.(\d+)-(?:\1\.)?(\d+)$/.exec(word);
  if (range === null) return [word];
  const [, section, first, last] = range;
  const count = Number(last) - Number(first) + 1;
  return count < 1 ? [word] : Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`);
}
