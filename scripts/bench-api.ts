import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DatabaseLocation, openDatabase, openForReading } from '../packages/server/src/platform/db/database.ts';
import { noDatabaseLimits } from '../packages/server/src/platform/db/database-limits.ts';
import { archiveFigures } from './bench/archive-figures.ts';
import { BenchServer } from './bench/bench-server.ts';
import { cleanupFigures } from './bench/cleanup-figures.ts';
import { exportFigures } from './bench/export-figures.ts';
import { type Figure, tableOf } from './bench/figures.ts';
import { expectRollupsToAgree, fillDatabase } from './bench/fill-database.ts';
import { readingFigures } from './bench/reading-figures.ts';
import type { SampleSize } from './bench/sample-data.ts';
import { usageFigures } from './bench/usage-figures.ts';
import { startOwnPostgres, startPostgres } from './postgres/start-postgres.ts';
import { buildServerIfStale, builtProgram } from './server-build.ts';

const maxSeconds = 2;

/** Time without responses while a server restarts. */
async function measureRestartDowntime(
  server: BenchServer,
  start: () => Promise<BenchServer>,
): Promise<{ figure: Figure; started: BenchServer }> {
  const began = performance.now();
  await server.stop();
  const ended = performance.now();
  const started = await start();
  const [ending, starting] = [(ended - began) / 1000, (performance.now() - ended) / 1000];
  const seconds = ending + starting;
  return {
    started,
    figure: {
      name: 'restart: shutdown, and start until ready',
      measured: `${ending.toFixed(2)} s and ${starting.toFixed(2)} s`,
      bound: { text: `≤ ${maxSeconds} s`, isKept: seconds <= maxSeconds },
    },
  };
}

/**
 * `npm run bench:api -- [--postgres] [--logs 1000000] [--only usage] [--data folder]`: measures the API's targets on
 * a large database. `--data` keeps the database in that folder and reuses it in the next run.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean' },
    logs: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    data: { type: 'string' },
  },
});
const { only } = values;

await using cleanup = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)));
}
const dataDir = values.data === undefined ? mkdtempSync(join(tmpdir(), 'headgate-bench-')) : resolve(values.data);
if (values.data === undefined) cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
const location: DatabaseLocation = { dataDir, databaseUrl: values.postgres ? await ownPostgres() : undefined };

const order = { logs: Number(values.logs), users: 20_000, tokensPerUser: 5 };
const { size, end, rootPassword, fillSeconds } = await ensureFilledDatabase(location, order);
const middle = end - 45 * 86_400;
await buildServerIfStale();
BenchServer.program = builtProgram;
let server = await BenchServer.start(location);
cleanup.defer(() => server.stop());
// After the server starts, because it rejects a file that another program has open.
const database = await (location.databaseUrl === undefined
  ? openForReading(location)
  : openDatabase({ ...location, databaseLimits: noDatabaseLimits }));
cleanup.defer(() => database.destroy());
await server.signIn('root', rootPassword);

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  // SQLite allows one process at a time, and this one reads the database.
  ...(values.postgres && { restart }),
  reading: () => readingFigures({ server, size }),
  export: () => exportFigures(server),
  archive: () => archiveFigures(location),
  usage: () => usageFigures(server, database, end),
  // Runs last, because it deletes rows that the others need.
  cleaning: () => cleanupFigures(server, { middle, users: size.users, isPostgres: values.postgres === true }),
};
if (only !== undefined && !(only in parts)) throw new Error(`--only must be one of ${Object.keys(parts).join(', ')}.`);
const figures: Figure[] = [];
for (const [name, part] of Object.entries(parts).filter(([each]) => only === undefined || each === only)) {
  console.error(`Measuring: ${name}…`);
  figures.push(...(await part()));
}
if (only === undefined) await expectRollupsToAgree(database);
console.log(
  `${values.postgres ? 'PostgreSQL' : 'SQLite'}, ${size.logs} logs, ${size.users} users, ` +
    `${size.users * size.tokensPerUser} tokens (filled in ${fillSeconds.toFixed(0)} s); ` +
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}\n`,
);
console.log(tableOf(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;

async function restart(): Promise<Figure[]> {
  const { figure, started } = await measureRestartDowntime(server, () => BenchServer.start(location));
  server = started;
  await server.signIn('root', rootPassword);
  return [figure];
}

/** Not inside the data folder, which only the server may read. */
async function ownPostgres(): Promise<string> {
  const { url, stop } = await (values.data === undefined ? startPostgres() : startOwnPostgres(`${dataDir}-postgres`));
  cleanup.defer(stop);
  return url;
}

/** Parameters of a stored database. */
interface Filling {
  readonly size: SampleSize;
  readonly rootPassword: string;
  /** Time of the newest log entry, in seconds. */
  readonly end: number;
  readonly fillSeconds: number;
}

/** Fills the database, unless a marker file shows that it is already filled. */
async function ensureFilledDatabase(location: DatabaseLocation, size: SampleSize): Promise<Filling> {
  mkdirSync(location.dataDir, { recursive: true });
  const note = join(location.dataDir, location.databaseUrl === undefined ? 'filled.json' : 'filled-postgres.json');
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as Filling;
  console.error('Filling the database…');
  const [rootPassword, end] = [randomBytes(12).toString('hex'), Math.floor(Date.now() / 1000)];
  const start = performance.now();
  await fillDatabase({ location, size, rootPassword, end });
  const filling = { size, rootPassword, end, fillSeconds: (performance.now() - start) / 1000 };
  writeFileSync(note, JSON.stringify(filling));
  return filling;
}
