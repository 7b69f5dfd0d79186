import { spawn } from 'node:child_process';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { isConsoleStale } from './console-build.ts';
import { endWithParent } from './end-with-parent.ts';
import { repositoryRoot } from './repository.ts';

// npm sets it for what it starts.
if (process.env['npm_lifecycle_event'] !== undefined) endWithParent();
if (isConsoleStale()) {
  console.log('Building the console…');
  // In processes of their own, and then all over again: what building and stripping types take of memory would be kept.
  const codes = await Promise.all([run('build.ts'), run('load-server.ts')]);
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
  flushCompileCache();
  if (process.platform !== 'win32') beginAnew();
}
const { runProgram } = await import('../packages/server/src/run-program.ts');
await runProgram();

function beginAnew(): void {
  const [program = '', script = ''] = process.argv;
  process.execve?.(program, [program, ...process.execArgv, script, 'start'], process.env);
}

/** What Node caches depends on its flags: the same ones, and the same cache, as here. */
function run(script: string): Promise<number> {
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [...process.execArgv, join(repositoryRoot, 'scripts', script)], {
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
