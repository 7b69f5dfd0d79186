import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BuildStamp } from './build-stamp.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/**
 * Bundles of the programs that tests spawn: a bundle starts in half the time of the sources. Prints the folder of the
 * bundles. Each version of the sources has its own folder, so that a run keeps its programs while another one builds.
 */
const programs = [
  'main',
  'commands/apply',
  'commands/audit',
  'commands/backup',
  'commands/doctor',
  'commands/dump-config',
  'commands/export',
  'commands/import',
  'commands/passwd',
  'commands/plan',
  'commands/restore',
  'commands/schema',
  'testing/process/faulty-program',
  'testing/process/migrating-program',
];

/** At the same folder depth as `packages/server/src`, because the server finds its files by relative paths. */
const parent = join(repositoryRoot, 'packages/server');
const prefix = '.test-programs-';
const keepMs = 3_600_000;

const sources = new BuildStamp(parent, () => ({
  files: [
    ...['contract', 'dialects', 'providers', 'relay', 'importer', 'server'].flatMap((name) =>
      listFiles(repositoryRoot, `packages/${name}/src`, /(?<!\.test)\.ts$/),
    ),
    ...['scripts/test-programs.ts', 'scripts/server-bundle.ts', 'package-lock.json'],
  ],
}));

const folder = join(parent, `${prefix}${sources.ofSources().slice(0, 16)}`);
if (!existsSync(folder)) {
  removeOldFolders();
  await build(`${folder}-${process.pid}`);
}
process.stdout.write(folder);

async function build(unfinished: string): Promise<void> {
  const { bundleServer } = await import('./server-bundle.ts');
  mkdirSync(unfinished);
  const entry = Object.fromEntries(programs.map((name) => [basename(name), join(parent, 'src', `${name}.ts`)]));
  // Tests patch `pg` in node_modules.
  await bundleServer({ entry, folder: unfinished, extension: 'mjs', external: ['pg'] });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another worker may have built the same version.
    if (!existsSync(folder)) throw error;
  }
}

function removeOldFolders(): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > keepMs) rmSync(path, { recursive: true, force: true });
  }
}
