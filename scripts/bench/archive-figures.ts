import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { repositoryRoot } from '../repository.ts';
import { BenchDatabase } from './bench-database.ts';
import type { Figure } from './figures.ts';
import { residentMegabytes } from './load.ts';

const fewestRowsPerSecond = 20_000;
/** Deriving the key from the passphrase takes 128 MB briefly; memory that grows with the rows would be far more. */
const maxMegabytes = 500;

interface Run {
  readonly seconds: number;
  readonly megabytes: number;
  readonly rows: number;
}

/** Speed of backing up a whole database while a server uses it, and of restoring the archive. */
export async function archiveFigures(location: DatabaseLocation): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-archive-bench-'));
  try {
    const file = join(folder, 'all');
    const exported = await run('export.ts', ['--to', file], location);
    const size = statSync(file).size / 1_000_000;
    const targets: [string, DatabaseLocation][] = [
      ['SQLite', { dataDir: join(folder, 'target'), databaseUrl: undefined }],
    ];
    if (location.databaseUrl !== undefined) {
      const server = new BenchDatabase(location.databaseUrl);
      const databaseUrl = await server.create('archive_target');
      await server.end();
      targets.push(['PostgreSQL', { dataDir: join(folder, 'other'), databaseUrl }]);
    }
    const figures = figuresOf(`export (${size.toFixed(0)} MB)`, exported);
    for (const [name, target] of targets) {
      figures.push(...figuresOf(`restore into ${name}`, await run('restore.ts', ['--from', file], target)));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(name: string, { seconds, megabytes, rows }: Run): Figure[] {
  const perSecond = rows / seconds;
  return [
    {
      name: `${name} of ${rows} rows in ${seconds.toFixed(1)} s: rows per second`,
      measured: perSecond.toFixed(0),
      bound: { text: `≥ ${fewestRowsPerSecond}`, isKept: perSecond >= fewestRowsPerSecond },
    },
    {
      name: `${name}: peak memory`,
      measured: `${megabytes.toFixed(0)} MB`,
      bound: { text: `≤ ${maxMegabytes} MB`, isKept: megabytes <= maxMegabytes },
    },
  ];
}

/** Runs the command in a separate process. */
async function run(script: string, args: readonly string[], { dataDir, databaseUrl }: DatabaseLocation): Promise<Run> {
  const began = performance.now();
  const program = spawn(process.execPath, [join(repositoryRoot, 'packages/server/src', script), ...args], {
    env: {
      DATA_DIR: dataDir,
      EXPORT_PASSPHRASE: 'a passphrase of this bench',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let megabytes = 0;
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const looking = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(program.pid ?? 0) || 0);
  }, 50);
  program.once('exit', () => clearInterval(looking));
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} failed: ${output}`);
  const rows = [...output.matchAll(/^\w+: (\d+) rows$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { seconds: (performance.now() - began) / 1000, megabytes, rows };
}
