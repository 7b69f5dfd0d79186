import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BuildStamp } from './build-stamp.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** Beside the sources: what the server looks for beside itself is found from here as well. */
const folder = join(repositoryRoot, 'packages/server/dist');
const sources = join(repositoryRoot, 'packages/server/src');
const entry = { main: join(sources, 'main.ts'), 'run-server': join(sources, 'process/run-server.ts') };
const fileOf = (part: keyof typeof entry): string => join(folder, `${part}.mjs`);

/** Serves as soon as it is loaded, as `main.ts` does. */
export const builtProgram = fileOf('main');

const stamp = new BuildStamp(folder, () => ({
  files: [
    ...['contract', 'dialects', 'providers', 'relay', 'importer', 'server'].flatMap((name) =>
      listFiles(repositoryRoot, `packages/${name}/src`, /(?<!\.test)\.ts$/),
    ),
    ...['scripts/server-build.ts', 'scripts/server-bundle.ts', 'package-lock.json'],
  ],
}));

/** Whether the built server is missing or older than what it is built from. */
export const isServerStale = (): boolean => stamp.isStale();

/** Builds the server for `npm start`: two thousand files of their own would take a quarter more memory. */
export async function buildServer(): Promise<void> {
  const sourceStamp = stamp.ofSources();
  // Only who builds needs the bundler.
  const { bundleServer } = await import('./server-bundle.ts');
  await bundleServer({ entry, folder, extension: 'mjs' });
  // Last, so that a build that broke off is stale.
  stamp.write(sourceStamp);
}

export async function buildServerIfStale(): Promise<void> {
  if (!isServerStale()) return;
  console.log('Building the server…');
  await buildServer();
}

/** Starts nothing: whoever starts next finds it compiled. */
export const loadServer = (): Promise<unknown> => import(pathToFileURL(fileOf('run-server')).href);
