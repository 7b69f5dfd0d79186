import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';
import { runQuietly } from './tool.ts';

const consoleFolder = join(repositoryRoot, 'packages/console');
export const distFolder = join(consoleFolder, 'dist');
const stampFile = join(distFolder, '.stamp');
const smallestCompressedBytes = 1024;

/** Whether the built console is missing or older than what it is built from. */
export function isConsoleStale(): boolean {
  return !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== sourceHash();
}

/** Builds the console for the server to serve, each text file compressed beside itself. */
export async function buildConsole(): Promise<void> {
  const stamp = sourceHash();
  const { exitCode, output } = await runQuietly('vite', ['build', '--logLevel', 'warn'], { folder: consoleFolder });
  if (exitCode !== 0) throw new Error(`The console does not build:\n${output}`);
  await Promise.all(listFiles(distFolder, '', /\.(js|css|html|svg|json)$/).map(compress));
  // Last, so that a build that broke off is stale.
  writeFileSync(stampFile, stamp);
}

export async function buildConsoleIfStale(): Promise<void> {
  if (!isConsoleStale()) return;
  console.log('Building the console…');
  await buildConsole();
}

function sourceHash(): string {
  const hash = createHash('sha256');
  // Baked into the build, see packages/console.
  hash.update(process.env['VITE_SERVER'] ?? '');
  const files = [
    ...['packages/console', 'packages/contract'].flatMap((folder) =>
      listFiles(repositoryRoot, folder, /(?<!\.test\.tsx?)$/),
    ),
    'tsconfig.base.json',
    'package-lock.json',
  ];
  for (const file of files) {
    hash.update(`\0${file}\0`);
    hash.update(readFileSync(join(repositoryRoot, file)));
  }
  return hash.digest('hex');
}

async function compress(file: string): Promise<void> {
  const path = join(distFolder, file);
  const content = await readFile(path);
  if (content.length <= smallestCompressedBytes) return;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, best));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
