import { spawn } from 'node:child_process';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isConsoleStale } from './console-build.ts';
import { endWithParent } from './end-with-parent.ts';
import { repositoryRoot } from './repository.ts';
import { builtProgram, isServerStale } from './server-build.ts';

// Set by npm for its scripts.
if (process.env['npm_lifecycle_event'] !== undefined) endWithParent();
if (isConsoleStale() || isServerStale()) {
  const code = await buildStale();
  if (code !== 0) process.exit(code);
  // Restarts the process, because stripping types would keep its memory.
  flushCompileCache();
  if (process.platform !== 'win32') restart();
}
await import(pathToFileURL(builtProgram).href);

function restart(): void {
  const [program = '', script = ''] = process.argv;
  process.execve?.(program, [program, ...process.execArgv, script, 'start'], process.env);
}

/** Uses the same flags and cache as this process, because Node's compile cache depends on its flags. */
function buildStale(): Promise<number> {
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [...process.execArgv, join(repositoryRoot, 'scripts/build-stale.ts')], {
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
