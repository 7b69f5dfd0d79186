import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Compile cache shared by all test processes of this checkout and kept between runs. */
export const compileCache = join(root, 'node_modules/.cache/headgate-compiled');

/** Node flags that reduce the CPU time of short runs: garbage collection without helper threads, and less often. */
export const shortRunFlags = ['--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=64'] as const;

let folder: string | undefined;

/**
 * Path of a bundled server program, which starts in half the time of its sources. `file` is relative to
 * `packages/server/src` and listed in `scripts/test-programs.ts`.
 */
export function bundledProgram(file: string): string {
  folder ??= execFileSync(process.execPath, [join(root, 'scripts/test-programs.ts')], { encoding: 'utf8' });
  return join(folder, basename(file, '.ts').concat('.mjs'));
}
