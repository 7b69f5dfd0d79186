import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isConsoleStale } from './console-build.ts';
import { repositoryRoot } from './repository.ts';

if (isConsoleStale()) {
  console.log('Building the console…');
  // In a process of its own: what building takes of memory, the server would keep.
  const build = spawnSync(process.execPath, [join(repositoryRoot, 'scripts/build.ts')], { stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
await import('../packages/server/src/main.ts');
