import cluster from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { maxShutdownMs } from '../../platform/runtime/shutdown.ts';
import { removeEarlyExitHandlers } from '../early-exit.ts';
import { type PrimaryLogger, Workers } from './workers.ts';

/** Extra time, beyond a worker's own shutdown timeout, before it is killed. */
const marginMs = 2000;

/**
 * Starts workers on one port and keeps their number constant. The first starts alone, so that errors are reported once
 * and the schema is migrated once.
 */
export async function runPrimary(config: Config, log: PrimaryLogger): Promise<void> {
  const cache = getCompileCacheDir();
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../../main.ts', import.meta.url)), args: [] });
  const fork = () => cluster.fork(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) });
  const workers = new Workers({ fork, log, patienceMs: maxShutdownMs(config) + marginMs });
  // Installed first, because startup may wait for the database.
  obeySignals(workers);
  const line = await workers.start(config.workers);
  if (line === undefined) return;
  process.stdout.write(`${line} ${servingText(workers.serving, config.workers)}\n`);
  workers.allStarted();
}

function servingText(serving: number, wanted: number): string {
  if (serving >= wanted) return `${wanted} workers are serving.`;
  return `${serving} of ${wanted} workers ${serving === 1 ? 'is' : 'are'} serving; the others are being restarted.`;
}

function obeySignals(workers: Workers): void {
  let signals = 0;
  const end = (signal: NodeJS.Signals) => {
    signals += 1;
    const order = signal === 'SIGTERM' ? 'drain' : 'close';
    void workers.end(signals > 1 ? 'stop' : order);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', () => void workers.roll());
  removeEarlyExitHandlers();
}
