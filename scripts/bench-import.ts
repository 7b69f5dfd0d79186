import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SourceDatabase } from '../packages/server/src/testing/commands/source-databases.ts';
import { BenchDatabase } from './bench/bench-database.ts';
import { tableOf } from './bench/figures.ts';
import { fillOnPostgres, fillOnSqlite } from './bench/fill-import-source.ts';
import { type ImportRun, importFigures } from './bench/import-figures.ts';
import { startPostgres } from './postgres/start-postgres.ts';

/**
 * `npm run bench:import -- [--logs 1000000] [--postgres]`: measures speed and memory of importing logs from another
 * gateway: from a SQLite file to SQLite; with `--postgres` also to PostgreSQL, and from PostgreSQL to either.
 */
const { values } = parseArgs({
  options: { logs: { type: 'string', default: '1000000' }, postgres: { type: 'boolean', default: false } },
});
const logs = Number(values.logs);

await using cleanup = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)));
}
const folder = mkdtempSync(join(tmpdir(), 'headgate-import-bench-'));
cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
console.error('Filling the source…');
const file = cleanup.use(new SourceDatabase('new-api'));
fillOnSqlite(file, logs);
const place = (name: string, databaseUrl?: string) => ({ dataDir: join(folder, name), databaseUrl });
const runs: ImportRun[] = [{ name: 'SQLite to SQLite', from: file.path, into: place('first') }];
if (values.postgres) {
  const { url, stop } = await startPostgres();
  cleanup.defer(stop);
  const database = new BenchDatabase(url);
  cleanup.defer(() => database.end());
  const source = await database.create('import_source');
  await fillOnPostgres(source, logs);
  runs.push(
    { name: 'SQLite to PostgreSQL', from: file.path, into: place('second', await database.create('import_second')) },
    { name: 'PostgreSQL to SQLite', from: source, into: place('third') },
    { name: 'PostgreSQL to PostgreSQL', from: source, into: place('fourth', await database.create('import_fourth')) },
  );
}
const figures = [];
for (const run of runs) {
  console.error(`Measuring: ${run.name}…`);
  figures.push(...(await importFigures(run, logs)));
}
console.log(`${logs} logs; ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}\n`);
console.log(tableOf(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;
