import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DatabaseLocation, openForReading } from '../packages/server/src/db/database.ts';
import { BenchServer } from './bench/bench-server.ts';
import { cleaningFigures } from './bench/cleaning-figures.ts';
import { exportFigures } from './bench/export-figures.ts';
import { type Figure, tableOf } from './bench/figures.ts';
import { expectSumsToAgree, fillDatabase } from './bench/fill-database.ts';
import { readingFigures } from './bench/reading-figures.ts';
import { usageFigures } from './bench/usage-figures.ts';
import { startPostgres } from './postgres/start-postgres.ts';

/** `npm run bench:api -- [--postgres] [--logs 1000000]`: the promises of the API about a large database, measured. */
const { values } = parseArgs({
  options: { postgres: { type: 'boolean' }, logs: { type: 'string', default: '1000000' } },
});
const size = { logs: Number(values.logs), users: 20_000, tokensPerUser: 5 };
const rootPassword = randomBytes(12).toString('hex');
const end = Math.floor(Date.now() / 1000);
const middle = end - 45 * 86_400;

await using cleanup = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)));
}
const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
const location: DatabaseLocation = { dataDir, databaseUrl: values.postgres ? await ownPostgres() : undefined };

console.error('Filling the database…');
const fillSeconds = await seconds(() => fillDatabase({ location, size, rootPassword, end }));
const server = await BenchServer.start(location);
cleanup.defer(() => server.stop());
// After the server, which begins on no file that another program has open.
const database = await openForReading(location);
cleanup.defer(() => database.destroy());
await server.signIn('root', rootPassword);

console.error('Reading…');
const figures: Figure[] = await readingFigures({ server, database, size });
console.error('Exporting…');
figures.push(...(await exportFigures(server)));
console.error('Adding up usage…');
figures.push(...(await usageFigures(server, database, end)));
console.error('Deleting the older half while others write…');
figures.push(...(await cleaningFigures(server, middle, size.users)));
await expectSumsToAgree(database);
console.log(
  `${values.postgres ? 'PostgreSQL' : 'SQLite'}, ${size.logs} logs, ${size.users} users, ` +
    `${size.users * size.tokensPerUser} tokens (filled in ${fillSeconds.toFixed(0)} s); ` +
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}\n`,
);
console.log(tableOf(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;

async function ownPostgres(): Promise<string> {
  const { url, stop } = await startPostgres();
  cleanup.defer(stop);
  return url;
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
