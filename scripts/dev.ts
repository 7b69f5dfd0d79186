import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';
import { toolFile } from './tool.ts';

/** Proxy target of packages/console/vite.config.ts. */
const serverPort = '3000';

const parts = [
  start(['--watch', 'packages/server/src/main.ts'], repositoryRoot),
  start([toolFile('vite')], join(repositoryRoot, 'packages/console')),
];

/** Ctrl-C also reaches the child processes through the terminal; a second signal is harmless. */
function endAll(): void {
  for (const part of parts) part.kill('SIGTERM');
}

process.on('SIGINT', endAll);
process.on('SIGTERM', endAll);
for (const part of parts) part.on('exit', endAll);

function start(parameters: string[], folder: string) {
  // A reload need not wait for load balancers to drain.
  const environment = { SHUTDOWN_DRAIN_SECONDS: '0', ...process.env, PORT: serverPort };
  return spawn(process.execPath, parameters, { cwd: folder, env: environment, stdio: 'inherit' });
}
