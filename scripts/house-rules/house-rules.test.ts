import { describe, expect, test } from 'vitest';
import { withPlantedTree } from '../planted-tree.ts';
import { checkHouseRules, ruleNames } from './house-rules.ts';
import { acceptedTree, cleanTree, plantedViolations } from './planted-violations.ts';

describe('house rules', () => {
  test('house rules pass for a clean tree', () => {
    const report = withPlantedTree(cleanTree, checkHouseRules);
    expect(report.violations).toEqual([]);
    expect(report.fileCount).toBeGreaterThan(20);
  });

  test('house rules pass for code that only looks like a violation', () => {
    expect(withPlantedTree({ ...cleanTree, ...acceptedTree }, checkHouseRules).violations).toEqual([]);
  });

  test.for(plantedViolations)('$rule fires for $file', ({ rule, file, text, others }) => {
    const { violations } = withPlantedTree({ ...cleanTree, ...others, [file]: text }, checkHouseRules);
    const line = text.split('\n').findIndex((content) => content.includes('PLANTED')) + 1;
    expect(violations.map((violation) => [violation.rule, violation.file, violation.line])).toEqual([
      [rule, file, line],
    ]);
    expect(violations[0]?.message).toMatch(/^[A-Za-z].+/);
  });

  test('every house rule has a planted violation', () => {
    const planted = new Set(plantedViolations.map(({ rule }) => rule));
    expect([...ruleNames].filter((name) => !planted.has(name))).toEqual([]);
  });

  test('house rules fail on a file that does not parse', () => {
    const broken = { ...cleanTree, 'packages/relay/src/index.ts': 'export const = ;\n' };
    expect(() => withPlantedTree(broken, checkHouseRules)).toThrow('packages/relay/src/index.ts does not parse');
  });
});
