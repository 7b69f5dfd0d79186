import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing of the specification that a test can confirm, as listed in docs/spec/checks.md. */
export interface SpecCheck {
  /** Such as S2.44. */
  readonly id: string;
  /** Such as "S2 Screens and routes". */
  readonly section: string;
  readonly text: string;
}

/** How many checks the specification was cut into: fewer means that the list was read wrongly. */
export const specCheckCount = 549;

export function readSpecChecks(root: string): SpecCheck[] {
  const checks: SpecCheck[] = [];
  let section = '';
  for (const line of readFileSync(join(root, 'docs/spec/checks.md'), 'utf8').split('\n')) {
    section = /^## (S\d+ .+)$/.exec(line)?.[1] ?? section;
    const [, id, text] = /^(S\d+\.\d+) (.+)$/.exec(line) ?? [];
    if (id !== undefined && text !== undefined) checks.push({ id, section, text });
  }
  return checks;
}
