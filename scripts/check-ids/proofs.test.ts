import { describe, expect, test } from 'vitest';
import { withPlantedTree } from '../planted-tree.ts';
import { repositoryRoot } from '../repository.ts';
import { attacks, checkLists, miscount, readChecks, specification } from './check-lists.ts';
import { provenSections, unknownIds } from './proofs.ts';

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
    const sections = checkLists.flatMap((list) => provenSections(root, list));
    const unproven = new Set(sections.flatMap((section) => section.unproven.map(({ id }) => id)));
    return checkLists.flatMap((list) => readChecks(root, list).map(({ id }) => id)).filter((id) => !unproven.has(id));
  });

describe('proofs', () => {
  test.for([
    [specification, 'S1.1', 'S9.46', 9],
    [attacks, 'A1.1', 'A35.2', 35],
  ] as const)('the list $0.file of this repository is whole', ([list, first, last, sections]) => {
    const checks = readChecks(repositoryRoot, list);
    const ids = checks.map(({ id }) => id);
    expect(miscount(repositoryRoot, list)).toBeUndefined();
    expect(new Set(ids).size).toBe(ids.length);
    expect([ids.at(0), ids.at(-1)]).toEqual([first, last]);
    expect(new Set(checks.map(({ section }) => section)).size).toBe(sections);
    for (const { id, section } of checks) expect(id.split('.')[0]).toBe(section.split(' ')[0]);
  });

  test('every attack of this repository is named by a test', () => {
    const unproven = provenSections(repositoryRoot, attacks).flatMap((section) => section.unproven.map(({ id }) => id));
    expect(unproven).toEqual([]);
  });

  test('no test of this repository names an unknown id', () => {
    expect(unknownIds(repositoryRoot)).toEqual([]);
  });

  test('counts per section what titles name', () => {
    const files = { 'packages/server/src/a.test.ts': "test('[S1.1 S2.9] x', () => {});" };
    const sections = withPlantedTree(planted(files), (root) => provenSections(root, specification));
    expect(sections.map(({ section, proven, total }) => [section, proven, total])).toEqual([
      ['S1 Roles', 1, 3],
      ['S2 Screens', 1, 3],
    ]);
    expect(sections[0]?.unproven.map(({ id }) => id)).toEqual(['S1.2', 'S1.3']);
  });

  test.for([
    ['a list', "it('[S1.1 S1.3] x', f);", ['S1.1', 'S1.3']],
    ['commas', "it('[S1.1, S1.3] x', f);", ['S1.1', 'S1.3']],
    ['a range', "it('[S2.9-11] x', f);", ['S2.9', 'S2.10', 'S2.11']],
    ['a full range', "it('[S2.9-S2.10] x', f);", ['S2.9', 'S2.10']],
    ['a case of an attack', "it('[S1.1 A1.2] x', f);", ['S1.1', 'A1.2']],
    ['several brackets', "it('[S1.1] x [S1.2]', f);", ['S1.1', 'S1.2']],
    ['a group', "describe('[S1.2] x', () => { test('y', f); });", ['S1.2']],
    ['a table of tests', "test.each([1])('[S1.2] $x', f); test.for(rows)('[S1.3] $x', f);", ['S1.2', 'S1.3']],
    ['a template', `test(\`[S1.2] \${x}\`, f);`, ['S1.2']],
    ['an id outside brackets', "test('S1.2 x', f);", []],
    ['an id outside titles', "const x = '[S1.2]'; // [S1.1]\nlog('[S1.3]');", []],
    ['tests that do not run', "test.skip('[S1.1] x', f); it.todo('[S1.2] x'); test.fixme('[S1.3] x', f);", []],
    [
      'tests in a group that does not run',
      "describe.skip('x', () => { test('[S1.1] x', f); }); test('[S1.2] x', f);",
      ['S1.2'],
    ],
  ] as const)('reads %s', ([, text, ids]) => {
    expect(provenIds({ 'packages/server/src/a.test.ts': text })).toEqual(ids);
  });

  test('reads unit tests, component tests and journeys, and nothing else', () => {
    const files = {
      'packages/server/src/a.test.ts': "test('[S1.1] x', f);",
      'packages/console/src/b.test.tsx': "test('[S1.2] x', () => <p/>);",
      'packages/e2e/src/c.e2e.ts': "test('[S1.3] x', f);",
      'packages/server/src/d.ts': "test('[S2.9] x', f);",
    };
    expect(provenIds(files)).toEqual(['S1.1', 'S1.2', 'S1.3']);
  });

  test('an id that does not exist is named with its place', () => {
    const files = { 'packages/e2e/src/c.e2e.ts': "\ntest('[S1.1 S1.4] x', f);\ntest('[S2.11-12 S1.x A1.3] y', f);" };
    expect(withPlantedTree(planted(files), unknownIds)).toEqual([
      { id: 'S1.4', file: 'packages/e2e/src/c.e2e.ts', line: 2 },
      { id: 'S2.12', file: 'packages/e2e/src/c.e2e.ts', line: 3 },
      { id: 'S1.x', file: 'packages/e2e/src/c.e2e.ts', line: 3 },
      { id: 'A1.3', file: 'packages/e2e/src/c.e2e.ts', line: 3 },
    ]);
  });
});
