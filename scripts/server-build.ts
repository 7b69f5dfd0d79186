import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BuildStamp } from './build-stamp.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** Next to the sources, so that relative paths of the server work from here too. */
const folder = join(repositoryRoot, 'packages/server/dist');
const sources = join(repositoryRoot, 'packages/server/src');
const entry = { main: join(sources, 'main.ts'), 'run-server': join(sources, 'process/run-server.ts') };
const fileOf = (part: keyof typeof entry): string => join(folder, `${part}.mjs`);

/** Starts the server on import, like `main.ts`. */
export const builtProgram = fileOf('main');

const stamp = new BuildStamp(folder, () => ({
  files: [
    ...['contract', 'dialects', 'providers', 'relay', 'importer', 'server'].flatMap((name) =>
      listFiles(repositoryRoot, `packages/${name}/src`, /(?<!\.test)\.ts$/),
    ),
    ...['scripts/server-build.ts', 'scripts/server-bundle.ts', 'package-lock.json'],
  ],
}));

/** True if the built server is missing or older than its sources. */
export const isServerStale = (): boolean => stamp.isStale();

/** Builds the server for `npm start`: loading two thousand separate files would take 25 % more memory. */
export async function buildServer(): Promise<void> {
  const sourceStamp = stamp.ofSources();
  // Loaded on demand, because only builds need the bundler.
  const { bundleServer } = await import('./server-bundle.ts');
  await bundleServer({ entry, folder, extension: 'mjs' });
  // Written last, so that an aborted build counts as stale.
  stamp.write(sourceStamp);
}

export async function buildServerIfStale(): Promise<void> {
  if (!isServerStale()) return;
  console.log('Building the server…');
  await buildServer();
}

/** Starts nothing, but fills the compile cache for the next start. */
export const loadServer = (): Promise<unknown> => import(pathToFileURL(fileOf('run-server')).href);
