import cluster from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { maxShutdownMs } from '../../platform/runtime/shutdown-times.ts';
import { stopExitingEarly } from '../early-exit.ts';
import { type PrimaryLog, Workers } from './workers.ts';

/** Added to the time a worker takes to end by itself before it is killed. */
const marginMs = 2000;

/**
 * Starts workers behind one port and keeps that number alive. The first one starts alone, so that problems are
 * reported once and the schema is migrated once. Everything else is done by the workers.
 */
export async function runPrimary(config: Config, log: PrimaryLog): Promise<void> {
  const cache = getCompileCacheDir();
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../../main.ts', import.meta.url)), args: [] });
  const fork = () => cluster.fork(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) });
  const workers = new Workers({ fork, log, patienceMs: maxShutdownMs(config) + marginMs });
  // Installed first, because a start may take as long as the database does.
  obeySignals(workers);
  const line = await workers.start(config.workers);
  if (line === undefined) return;
  process.stdout.write(`${line} ${servingWords(workers.serving, config.workers)}\n`);
  workers.allStarted();
}

function servingWords(serving: number, wanted: number): string {
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
  stopExitingEarly();
}
