import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { checkStoredLedger } from '../../packages/server/src/records/ledger/stored-ledger-repository.ts';
import { repositoryRoot } from '../repository.ts';
import { cpuTimeMs } from './cpu-time.ts';
import type { Figure } from './figures.ts';
import { residentMegabytes } from './load.ts';

const fewestRowsPerSecond = 20_000;
/** Ratio of memory after all logs to memory after a tenth; unbounded growth would be far more. */
const maxGrowth = 1.5;

export interface ImportRun {
  readonly name: string;
  readonly from: string;
  readonly into: DatabaseLocation;
}

interface Measured {
  readonly seconds: number;
  /** CPU time. */
  readonly processor: number;
  /** Memory after a tenth of the logs, and the maximum after that. */
  readonly early: number;
  readonly most: number;
}

/** Import speed of the command itself, including process start. */
export async function importFigures({ name, from, into }: ImportRun, logs: number): Promise<Figure[]> {
  const { seconds, processor, early, most } = await run(from, into, logs);
  const { drift, log_drift } = await checkStoredLedger(into);
  const perSecond = logs / seconds;
  return [
    {
      name: `${name} in ${seconds.toFixed(1)} s: logs per second`,
      measured: perSecond.toFixed(0),
      bound: { text: `≥ ${fewestRowsPerSecond}`, isKept: perSecond >= fewestRowsPerSecond },
    },
    { name: `${name}: logs per CPU second`, measured: (logs / processor).toFixed(0) },
    {
      name: `${name}: peak memory, ${early.toFixed(0)} MB after a tenth`,
      measured: `${most.toFixed(0)} MB`,
      bound: { text: `≤ ${(early * maxGrowth).toFixed(0)} MB`, isKept: most <= early * maxGrowth },
    },
    {
      name: `${name}: ledger off by`,
      measured: String(drift + log_drift),
      bound: { text: '0', isKept: drift === 0 && log_drift === 0 },
    },
  ];
}

async function run(from: string, { dataDir, databaseUrl }: DatabaseLocation, logs: number): Promise<Measured> {
  const began = performance.now();
  const program = spawn(
    process.execPath,
    [join(repositoryRoot, 'packages/server/src/commands/import.ts'), '--from', from, '--logs-since', '2020-01-01'],
    {
      env: { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let [early, most, processor, read, output] = [0, 0, 0, 0, ''];
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = text;
    read = Math.max(read, ...[...text.matchAll(/^logs: (\d+) read$/gm)].map(([, count]) => Number(count)));
  });
  const looking = setInterval(() => {
    const now = residentMegabytes(program.pid ?? 0) || 0;
    processor = Math.max(processor, cpuTimeMs([program.pid ?? 0]) / 1000);
    if (read < logs / 10) return;
    if (early === 0) early = now;
    most = Math.max(most, now);
  }, 50);
  program.once('exit', () => clearInterval(looking));
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The import failed: ${output}`);
  return { seconds: (performance.now() - began) / 1000, processor, early, most };
}
