import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const launcher = readFileSync(join(repositoryRoot, 'scripts/run.mjs'), 'utf8');

test('every command of package.json is one the launcher knows', () => {
  const asked = Object.values(scripts).flatMap((line) => /run\.mjs (\S+)/.exec(line)?.[1] ?? []);
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !launcher.includes(`  '${name}',`))).toEqual([]);
});
