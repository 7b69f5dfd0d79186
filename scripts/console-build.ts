import { join } from 'node:path';
import { BuildStamp } from './build-stamp.ts';
import { compressFile } from './compress-file.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';
import { runCaptured } from './tool.ts';

const consoleFolder = join(repositoryRoot, 'packages/console');
export const distFolder = join(consoleFolder, 'dist');

const stamp = new BuildStamp(distFolder, () => ({
  files: [
    ...['packages/console', 'packages/contract'].flatMap((folder) =>
      listFiles(repositoryRoot, folder, /(?<!\.test\.tsx?)$/),
    ),
    'tsconfig.base.json',
    'package-lock.json',
  ],
  // Compiled into the build, see packages/console.
  setting: process.env['VITE_SERVER'] ?? '',
}));

/** True if the built console is missing or older than its sources. */
export const isConsoleStale = (): boolean => stamp.isStale();

/** Builds the console for the server, with a compressed copy next to each text file. */
export async function buildConsole(): Promise<void> {
  const sources = stamp.ofSources();
  const { exitCode, output } = await runCaptured('vite', ['build', '--logLevel', 'warn'], { folder: consoleFolder });
  if (exitCode !== 0) throw new Error(`The console build failed:\n${output}`);
  await Promise.all(
    listFiles(distFolder, '', /\.(js|css|html|svg|json)$/).map((file) => compressFile(join(distFolder, file))),
  );
  // Written last, so that an aborted build counts as stale.
  stamp.write(sources);
}

export async function buildConsoleIfStale(): Promise<void> {
  if (!isConsoleStale()) return;
  console.log('Building the console…');
  await buildConsole();
}
