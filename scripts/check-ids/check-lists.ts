import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A numbered list of checks, which tests cover by naming the ids in their titles. */
export interface CheckList {
  readonly file: string;
  /** First letter of its ids. */
  readonly letter: string;
  /** Expected number of checks: fewer means that the list was parsed wrongly. Undefined: it is still growing. */
  readonly count?: number;
}

export const specification: CheckList = { file: 'docs/spec/checks.md', letter: 'S', count: 549 };
export const attacks: CheckList = { file: 'docs/security/attacks.md', letter: 'A' };
export const checkLists: readonly CheckList[] = [specification, attacks];

/** One statement that a test can prove. */
export interface Check {
  /** Such as S2.44. */
  readonly id: string;
  /** Such as "S2 Screens and routes". */
  readonly section: string;
  readonly text: string;
  /** Number of the decision that allows the deviation, as in "… → decision 0034". */
  readonly decision?: string;
}

export function readChecks(root: string, { file, letter }: CheckList): Check[] {
  const checks: Check[] = [];
  let section = '';
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    const [, heading] = /^## (\w\d+ .+)$/.exec(line) ?? [];
    if (heading?.startsWith(letter)) section = heading;
    const [, id, whole] = /^(\w\d+\.\d+) (.+)$/.exec(line) ?? [];
    if (!id?.startsWith(letter) || whole === undefined) continue;
    const [text = '', decision] = whole.split(' → decision ');
    checks.push({ id, section, text, ...(decision !== undefined && { decision: decision.trim() }) });
  }
  return checks;
}

/** Faults of the list itself: wrong length, missing decisions. */
export function listFaults(root: string, list: CheckList): string[] {
  const checks = readChecks(root, list);
  const { file, count = checks.length } = list;
  const written = writtenDecisions(root);
  const unwritten = checks.flatMap(({ id, decision }) =>
    decision === undefined || written.has(decision)
      ? []
      : `${file}: ${id} names decision ${decision}, which does not exist.`,
  );
  return checks.length === count ? unwritten : [`${file} has ${checks.length} checks, not ${count}.`, ...unwritten];
}

/** Numbers of the pages in docs/decisions, such as 0034. */
function writtenDecisions(root: string): Set<string> {
  const folder = join(root, 'docs/decisions');
  const pages = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(pages.flatMap((page) => /^(\d{4})-.+\.md$/.exec(page)?.[1] ?? []));
}
