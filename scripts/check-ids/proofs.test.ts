import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withPlantedTree } from '../planted-tree.ts';
import { repositoryRoot } from '../repository.ts';
import { attacks, checkLists, listFaults, readChecks, specification } from './check-lists.ts';
import { idFaults, isUncovered, provenSections } from './proofs.ts';

const checks = `# Checks
## S1 Roles
S1.1 One. [A1]
S1.2 Two.
S1.3 Three.
## S2 Screens
### Login
S2.9 Nine.
S2.10 Ten.
S2.11 (neg) Eleven.
---
# Ambiguities
A1 **Guard (S2.9-10).** Words.
`;

const attackList = `# Attacks
## A1 Racing
A1.1 One.
A1.2 Two, as S1.1 says.
`;

const planted = (files: Record<string, string>) => ({
  'docs/spec/checks.md': checks,
  'docs/security/attacks.md': attackList,
  'packages/x.ts': '',
  'scripts/y.ts': '',
  ...files,
});

const provenIds = (files: Record<string, string>) =>
  withPlantedTree(planted(files), (root) => {
    const checks = checkLists.flatMap((list) => provenSections(root, list)).flatMap((section) => section.checks);
    return checks.filter(({ provenBy }) => provenBy.length > 0).map(({ id }) => id);
  });

/** Faults in titles only, because the planted list is incomplete. */
const titleFaults = (root: string) => idFaults(root).filter((fault) => fault.startsWith('packages'));

describe('check ids in test titles', () => {
  test.for([specification, attacks])('the list $file of this repository is complete', (list) => {
    const { letter } = list;
    const checks = readChecks(repositoryRoot, list);
    const ids = checks.map(({ id }) => id);
    expect(listFaults(repositoryRoot, list)).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const lines = readFileSync(join(repositoryRoot, list.file), 'utf8').split('\n');
    const written = lines.flatMap((line) => new RegExp(`^${letter}\\d+\\.\\d+(?= )`).exec(line) ?? []);
    expect([ids, ids.at(0)]).toEqual([written, `${letter}1.1`]);
    for (const { id, section } of checks) expect(id.split('.')[0]).toBe(section.split(' ')[0]);
  });

  test.for(checkLists)('every check of $file is named by a test or covered by a decision', (list) => {
    const checks = provenSections(repositoryRoot, list).flatMap((section) => section.checks);
    expect(checks.filter(isUncovered).map(({ id }) => id)).toEqual([]);
  });

  test('returns the tests that name each check, and its section', () => {
    const files = {
      'packages/server/src/a.test.ts': "test('[S1.1 S2.9] x', () => {});",
      'packages/server/src/b.test.ts': "test('[S1.1] y [A1.1]', () => {});",
    };
    const sections = withPlantedTree(planted(files), (root) => provenSections(root, specification));
    const proofs = sections.map(({ section, checks }) => [
      section,
      ...checks.map(({ id, provenBy }) => [id, ...provenBy]),
    ]);
    expect(proofs).toEqual([
      [
        'S1 Roles',
        ['S1.1', 'packages/server/src/a.test.ts › x', 'packages/server/src/b.test.ts › y'],
        ['S1.2'],
        ['S1.3'],
      ],
      ['S2 Screens', ['S2.9', 'packages/server/src/a.test.ts › x'], ['S2.10'], ['S2.11']],
    ]);
  });

  test('requires that the decision of a deviating check exists', () => {
    const decided = checks
      .replace('S1.2 Two.', 'S1.2 Two. [A1] → decision 0007')
      .replace('S1.3 Three.', 'S1.3 Three. → decision 0008');
    const files = { ...planted({}), 'docs/spec/checks.md': decided, 'docs/decisions/0007-otherwise.md': 'Why.' };
    withPlantedTree(files, (root) => {
      const [roles] = provenSections(root, specification);
      expect(roles?.checks.map(({ id, text, decision }) => [id, text, decision])).toEqual([
        ['S1.1', 'One. [A1]', undefined],
        ['S1.2', 'Two. [A1]', '0007'],
        ['S1.3', 'Three.', '0008'],
      ]);
      expect(roles?.checks.filter(isUncovered).map(({ id }) => id)).toEqual(['S1.1']);
      expect(idFaults(root)).toContain('docs/spec/checks.md: S1.3 names decision 0008, which does not exist.');
      expect(idFaults(root).join()).not.toContain('0007');
    });
  });

  test('allows at most six ids per title, across all lists', () => {
    const files = {
      'packages/a.test.ts': "test('[S1.1-3 S2.9 A1.1-2] x', f);\ntest('[S1.1-3 S2.9-11] y [A1.1]', f);",
    };
    expect(withPlantedTree(planted(files), titleFaults)).toEqual([
      'packages/a.test.ts:2 names 7 ids in one title; the maximum is 6.',
    ]);
  });

  test.for([
    ['a list', "it('[S1.1 S1.3] x', f);", ['S1.1', 'S1.3']],
    ['commas', "it('[S1.1, S1.3] x', f);", ['S1.1', 'S1.3']],
    ['a range', "it('[S2.9-11] x', f);", ['S2.9', 'S2.10', 'S2.11']],
    ['a full range', "it('[S2.9-S2.10] x', f);", ['S2.9', 'S2.10']],
    ['an attack case', "it('[S1.1 A1.2] x', f);", ['S1.1', 'A1.2']],
    ['several brackets', "it('[S1.1] x [S1.2]', f);", ['S1.1', 'S1.2']],
    ['a group', "describe('[S1.2] x', () => { test('y', f); });", ['S1.2']],
    ['a table of tests', "test.each([1])('[S1.2] $x', f); test.for(rows)('[S1.3] $x', f);", ['S1.2', 'S1.3']],
    ['a journey step', "test('x', () => test.step('[S1.2] y', f));", ['S1.2']],
    ['row names', "test.each([['[S1.2] y', 1], ['[S1.3] z', 2]] as const)('%s is', f);", ['S1.2', 'S1.3']],
    ['row names defined above', "const rows = [['[S1.2] y'], ['z']]; test.for(rows)('of %s', f);", ['S1.2']],
    ['rows that are not in the title', "test.each([['[S1.2]', 1]])('x %i', f);", []],
    ['a template', `test(\`[S1.2] \${x}\`, f);`, ['S1.2']],
    ['an id outside brackets', "test('S1.2 x', f);", []],
    ['an id outside titles', "const x = '[S1.2]'; // [S1.1]\nlog('[S1.3]');", []],
    ['skipped tests', "test.skip('[S1.1] x', f); it.todo('[S1.2] x'); test.fixme('[S1.3] x', f);", []],
    ['tests in a skipped group', "describe.skip('x', () => { test('[S1.1] x', f); }); test('[S1.2] x', f);", ['S1.2']],
  ] as const)('finds the ids in %s', ([, text, ids]) => {
    expect(provenIds({ 'packages/server/src/a.test.ts': text })).toEqual(ids);
  });

  test('reads only unit tests, component tests and journeys', () => {
    const files = {
      'packages/server/src/a.test.ts': "test('[S1.1] x', f);",
      'packages/console/src/b.test.tsx': "test('[S1.2] x', () => <p/>);",
      'packages/e2e/src/c.e2e.ts': "test('[S1.3] x', f);",
      'packages/server/src/d.ts': "test('[S2.9] x', f);",
    };
    expect(provenIds(files)).toEqual(['S1.1', 'S1.2', 'S1.3']);
  });

  test('reports an unknown id with its file and line', () => {
    const files = { 'packages/e2e/src/c.e2e.ts': "\ntest('[S1.1 S1.4] x', f);\ntest('[S2.11-12 S1.x A1.3] y', f);" };
    const file = 'packages/e2e/src/c.e2e.ts';
    expect(withPlantedTree(planted(files), titleFaults)).toEqual([
      `${file}:2 names S1.4, which does not exist.`,
      `${file}:3 names S2.12, which does not exist.`,
      `${file}:3 names S1.x, which does not exist.`,
      `${file}:3 names A1.3, which does not exist.`,
    ]);
  });
});
