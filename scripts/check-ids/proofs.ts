import { type Check, type CheckList, checkLists, listFaults, readChecks } from './check-lists.ts';
import { namedIds } from './named-ids.ts';
import { readTestTitles } from './test-titles.ts';

/** More than this in one title names what the body touches, not what it proves. */
const mostIdsInTitle = 6;

export interface ProvenCheck extends Check {
  /** The tests that name it, as "file › title". */
  readonly provenBy: readonly string[];
}

export interface SectionProof {
  readonly section: string;
  readonly checks: readonly ProvenCheck[];
}

/** A check that no test names and no decision does away with. */
export const isOpen = ({ provenBy, decision }: ProvenCheck): boolean => provenBy.length === 0 && decision === undefined;

/** Per section, which tests name each check in their titles. */
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

/** What is wrong with the lists and with the ids in titles: unknown ones, and too many in one. */
export function idFaults(root: string): string[] {
  const known = new Set(checkLists.flatMap((list) => readChecks(root, list).map(({ id }) => id)));
  const inTitles = readTestTitles(root).flatMap(({ title, file, line }) => {
    const ids = namedIds(title);
    const unknown = ids
      .filter((id) => !known.has(id))
      .map((id) => `${file}:${line} names ${id}, which does not exist.`);
    if (ids.length <= mostIdsInTitle) return unknown;
    return [...unknown, `${file}:${line} names ${ids.length} ids in one title; ${mostIdsInTitle} are the most.`];
  });
  return [...checkLists.flatMap((list) => listFaults(root, list)), ...inTitles];
}

const withoutIds = (title: string): string => title.replace(/\[[SA]\d[^\]]*\]\s*/g, '').trim();
