import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { installDebianPackage } from '../debian-package.ts';
import { findFreePort } from '../free-port.ts';

/**
 * A MariaDB for one test on a loopback port, fast and unsafe for real data: it accepts every user. It prints its
 * address when it is ready, and stops when its input closes.
 */
const folder = mkdtempSync(join(tmpdir(), 'headgate-mariadb-'));
const data = join(folder, 'data');
mkdirSync(data);
const port = await findFreePort();
const server = spawn(
  ensureServer(),
  [
    '--no-defaults',
    // MariaDB runs as root only if the user is given explicitly.
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--skip-grant-tables',
    '--innodb-buffer-pool-size=32M',
    '--innodb-flush-log-at-trx-commit=0',
  ],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
process.once('exit', () => {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
server.once('exit', (code) => {
  console.error(`MariaDB stopped (${code}).`);
  process.exit(1);
});
let isReady = false;
createInterface({ input: server.stderr }).on('line', (line) => {
  if (!isReady) console.error(line);
  if (isReady || !line.includes('ready for connections')) return;
  isReady = true;
  process.stdout.write(`ready at mysql://root@127.0.0.1:${port}\n`);
});
process.stdin.resume().once('end', () => process.exit());

function ensureServer(): string {
  const found = findServer();
  if (found !== undefined) return found;
  installDebianPackage('mariadb-server-core');
  const installed = findServer();
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests of imports need MariaDB 10.5 or later: install it (Debian: apt-get install mariadb-server-core; macOS: brew install mariadb).',
  );
}

function findServer(): string | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((path) => join(path, 'mariadbd')).find((path) => existsSync(path));
}
