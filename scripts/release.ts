import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { makeClientPackage } from './package/client-package.ts';
import { makePackage, packedFolder, runNpm } from './package/make-package.ts';
import { readRelease } from './release/read-release.ts';
import { changelogFaults, checksumText, lockFaults, treeFaults, versionFaults } from './release/release-checks.ts';
import { repositoryRoot } from './repository.ts';

/**
 * `npm run release [-- --dry-run [--skip-tests]]`: checks the tree, versions and changelog, runs all checks and
 * tests, builds the packages of the gateway and the client, and writes their checksums. Without `--dry-run` it also
 * tags the commit.
 */
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { 'dry-run': flag, 'skip-tests': flag } });
const isDryRun = values['dry-run'];
if (values['skip-tests'] && !isDryRun) fail(['--skip-tests needs --dry-run.']);

const git = (...parameters: string[]): string =>
  execFileSync('git', parameters, { cwd: repositoryRoot, encoding: 'utf8' });

const { version, manifests, locked } = readRelease();
const changelog = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8');
fail([
  ...treeFaults(git('status', '--porcelain')),
  ...versionFaults(version, manifests),
  ...lockFaults(version, locked),
  ...changelogFaults(version, changelog),
]);
console.log(`Tree, versions and changelog are ready for ${version}.`);

if (values['skip-tests']) console.log('Checks and tests are skipped.');
else await runNpm(['test'], repositoryRoot).then(() => console.log('Checks and tests have passed.'), failedTests);

const packages = [await makePackage(), await makeClientPackage(packedFolder)];
const sums = packages.map((path) => ({
  name: basename(path),
  sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
}));
const sumsFile = join(packedFolder, 'SHA256SUMS');
writeFileSync(sumsFile, checksumText(sums));
for (const path of [...packages, sumsFile]) console.log(relative(repositoryRoot, path));
process.stdout.write(checksumText(sums));

if (isDryRun) console.log(`Dry run: v${version} is not tagged.`);
else {
  git('tag', '--annotate', `v${version}`, '--message', `Headgate ${version}`);
  console.log(`Tagged v${version}. Next: docs/releasing.md.`);
}

function failedTests(error: unknown): never {
  fail([error instanceof Error ? error.message : String(error)]);
  throw error;
}

function fail(faults: readonly string[]): void {
  if (faults.length === 0) return;
  for (const fault of faults) console.error(`release: ${fault}`);
  process.exit(1);
}
