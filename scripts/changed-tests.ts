import { dirname } from 'node:path';

const testFile = /\.test\.tsx?$/;
/** All tests of a page run for any of its files. */
const page = /^packages\/console\/src\/pages\/[^/]+(?=\/)/;
/** Packages without sockets or storage: all their tests take seconds. */
const purePackage = /^packages\/(?:client|contract|dialects|providers)\/src(?=\/)/;

/**
 * Run in addition to the tests of the folder: the shortest test that uses the changed code inside the whole program.
 */
const smokeTests: readonly (readonly [RegExp, string])[] = [
  [/^packages\/console\/src\/(?!pages\/)/, 'packages/console/src/app/frame.test.tsx'],
  [/^packages\/(?:contract|dialects|providers|relay)\//, 'packages/server/src/relay/relay.test.ts'],
  [/^packages\/importer\//, 'packages/server/src/commands/importing/unusual-rows.test.ts'],
  [/^packages\/server\/src\/(?:relay|catalog|records)\//, 'packages/server/src/relay/relay.test.ts'],
];

/** Test files for the changed files; `tests` are the paths of all test files. */
export function testsFor(changed: readonly string[], tests: readonly string[]): readonly string[] {
  const chosen = new Set(changed.flatMap((file) => ofFile(file, tests)));
  return tests.filter((test) => chosen.has(test));
}

function ofFile(file: string, tests: readonly string[]): readonly string[] {
  if (testFile.test(file)) return [file];
  const whole = page.exec(file)?.[0] ?? purePackage.exec(file)?.[0];
  const near = whole === undefined ? nearestTests(file, tests) : tests.filter((test) => test.startsWith(`${whole}/`));
  return [...near, ...smokeTests.filter(([files]) => files.test(file)).map(([, test]) => test)];
}

/** Tests in the file's folder, or in the closest parent folder with tests. */
function nearestTests(file: string, tests: readonly string[]): readonly string[] {
  const folder = dirname(file);
  if (folder === '.') return [];
  const found = tests.filter((test) => dirname(test) === folder);
  return found.length > 0 ? found : nearestTests(folder, tests);
}
