import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { runNpm } from './make-package.ts';

export interface PackageTrial {
  /** Including Node. */
  readonly installedBytes: number;
  readonly nodeBytes: number;
  readonly installSeconds: number;
  /** From `npx ./headgate-x.y.z.tgz`, already installed, until /healthz responds: first start and second start. */
  readonly startSeconds: readonly [number, number];
}

/**
 * Installs the package in an empty folder and starts it with npx in another, like a new user. npm fetches the pinned
 * Node from its registry; nothing is left behind, not even in npm's cache.
 */
export async function tryPackage(tarball: string): Promise<PackageTrial> {
  const home = mkdtempSync(join(tmpdir(), 'headgate-try-'));
  try {
    const cache = join(home, 'cache');
    const installing = performance.now();
    const folder = emptyFolder(home, 'installed');
    await runNpm(['install', '--no-save', '--cache', cache, tarball], folder);
    const installSeconds = secondsSince(installing);
    const empty = emptyFolder(home, 'empty');
    copyFileSync(tarball, join(empty, basename(tarball)));
    const npx = ['exec', '--yes', '--cache', cache, '--', `./${basename(tarball)}`];
    // The first run fills the npx cache, so that the timed starts do not include the installation.
    await runNpm([...npx, '--version'], empty);
    const startSeconds = [await start(npx, empty), await start(npx, empty)] as const;
    const installedBytes = bytesOf(join(folder, 'node_modules'));
    const nodes = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('node-'));
    const nodeBytes = nodes.reduce((sum, name) => sum + bytesOf(join(folder, 'node_modules', name)), 0);
    return { installedBytes, nodeBytes, installSeconds, startSeconds };
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function emptyFolder(home: string, name: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  return folder;
}

async function start(npx: readonly string[], folder: string): Promise<number> {
  const began = performance.now();
  const { PATH, HOME } = process.env;
  const child = spawn('npm', npx, {
    cwd: folder,
    env: { PATH, HOME, PORT: '0', SHUTDOWN_DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is ready at (http:\S+:\d+)/.exec(line)?.[1];
    if (url === undefined) continue;
    const { status } = await fetch(`${url}/healthz`);
    if (status !== 200) throw new Error(`/healthz returned ${status}.`);
    const seconds = secondsSince(began);
    child.kill('SIGTERM');
    await once(child, 'exit');
    return seconds;
  }
  throw new Error('The package stopped before it was ready.');
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000;

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
