import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A numbered list of what tests prove by naming its ids in their titles. */
export interface CheckList {
  readonly file: string;
  /** What its ids begin with. */
  readonly letter: string;
  /** How many checks it must have: fewer means that the list was read wrongly. Undefined: it still grows. */
  readonly count?: number;
}

export const specification: CheckList = { file: 'docs/spec/checks.md', letter: 'S', count: 549 };
export const attacks: CheckList = { file: 'docs/security/attacks.md', letter: 'A' };
export const checkLists: readonly CheckList[] = [specification, attacks];

/** One thing that a test can confirm. */
export interface Check {
  /** Such as S2.44. */
  readonly id: string;
  /** Such as "S2 Screens and routes". */
  readonly section: string;
  readonly text: string;
}

export function readChecks(root: string, { file, letter }: CheckList): Check[] {
  const checks: Check[] = [];
  let section = '';
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    const [, heading] = /^## (\w\d+ .+)$/.exec(line) ?? [];
    if (heading?.startsWith(letter)) section = heading;
    const [, id, text] = /^(\w\d+\.\d+) (.+)$/.exec(line) ?? [];
    if (id?.startsWith(letter) && text !== undefined) checks.push({ id, section, text });
  }
  return checks;
}

/** What is wrong with a list itself; undefined when nothing is. */
export function miscount(root: string, list: CheckList): string | undefined {
  const { length } = readChecks(root, list);
  const isWrong = list.count !== undefined && list.count !== length;
  return isWrong ? `${list.file} has ${length} checks, not ${list.count}.` : undefined;
}
