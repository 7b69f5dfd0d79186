import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { journeysFor } from './changed-journeys.ts';
import { testsFor } from './changed-tests.ts';
import { buildConsoleIfStale } from './console-build.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';
import { runInTerminal } from './tool.ts';

/** `npm run test:changed -- [--since <ref>]`: tests next to changed files, and journeys of changed pages. */
const { since } = parseArgs({ options: { since: { type: 'string' } } }).values;
const changed = changedFiles(since);
const journeys = journeysFor(
  changed,
  listFiles(repositoryRoot, 'packages/e2e/src', /\.e2e\.ts$/).map((file) => basename(file)),
);
const tests = testsFor(changed, listFiles(repositoryRoot, '', /(?<!\.faults(?:\.pg|\.db)?)\.test\.tsx?$/));

console.log(`Changed files since ${since ?? 'the last commit'}:`);
for (const file of changed) console.log(`  ${file}`);
console.log(journeys.length === 0 ? 'No browser journeys.' : `Browser journeys: ${journeys.join(', ')}`);
console.log(`Unit and API tests: ${tests.length === 0 ? 'none' : `${tests.length} files`}`);
// In parallel with the tests, which do not use the built console.
const built = journeys.length === 0 ? Promise.resolve() : buildConsoleIfStale();
// Reported below, when the tests have ended.
built.catch(() => undefined);
const exitCodes = tests.length === 0 ? [] : [await runInTerminal('vitest', ['run', ...tests])];
if (journeys.length > 0) {
  await built;
  exitCodes.push(
    await runInTerminal('playwright', ['test', ...journeys], { folder: join(repositoryRoot, 'packages/e2e') }),
  );
}
process.exitCode = exitCodes.every((code) => code === 0) ? 0 : 1;

function changedFiles(ref = 'HEAD'): readonly string[] {
  const listed = [
    ['diff', '--name-only', '--relative', ref],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((parameters) => execFileSync('git', parameters, { cwd: repositoryRoot, encoding: 'utf8' }));
  return [...new Set(listed.join('').split('\n').filter(Boolean))].sort();
}
