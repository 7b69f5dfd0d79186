import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { BuildStamp } from './build-stamp.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';
import { runQuietly } from './tool.ts';

const consoleFolder = join(repositoryRoot, 'packages/console');
export const distFolder = join(consoleFolder, 'dist');
const smallestCompressedBytes = 1024;

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

/** Whether the built console is missing or older than its sources. */
export const isConsoleStale = (): boolean => stamp.isStale();

/** Builds the console for the server, with a compressed copy next to each text file. */
export async function buildConsole(): Promise<void> {
  const sources = stamp.ofSources();
  const { exitCode, output } = await runQuietly('vite', ['build', '--logLevel', 'warn'], { folder: consoleFolder });
  if (exitCode !== 0) throw new Error(`The console build failed:\n${output}`);
  await Promise.all(listFiles(distFolder, '', /\.(js|css|html|svg|json)$/).map(compress));
  // Written last, so that an aborted build counts as stale.
  stamp.write(sources);
}

export async function buildConsoleIfStale(): Promise<void> {
  if (!isConsoleStale()) return;
  console.log('Building the console…');
  await buildConsole();
}

async function compress(file: string): Promise<void> {
  const path = join(distFolder, file);
  const content = await readFile(path);
  if (content.length <= smallestCompressedBytes) return;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, best));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
