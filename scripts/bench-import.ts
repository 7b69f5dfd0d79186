import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { noDatabaseLimits } from '../packages/server/src/platform/db/database-limits.ts';
import { postgresPool } from '../packages/server/src/platform/db/postgres-pool.ts';
import { SourceDatabase } from '../packages/server/src/testing/commands/source-databases.ts';
import { tablesOnPostgres } from '../packages/server/src/testing/commands/source-tables.ts';
import { BenchDatabase } from './bench/bench-database.ts';
import { tableOf } from './bench/figures.ts';
import { type ImportRun, importFigures } from './bench/import-figures.ts';
import { startPostgres } from './postgres/start-postgres.ts';

const users = 500;
const models = 12;
const days = 90;

/** Time of the first log entry, in seconds. */
const beginning = Math.floor(Date.now() / 1000) - days * 86_400;

const other = '{"group_ratio":1,"model_ratio":0.075,"completion_ratio":4,"cache_tokens":12,"frt":310}';

/** Log entries as new-api writes them: many users and models, evenly over three months. `i` is the row number. */
const logValues = (
  logs: number,
) => `i, i % ${users} + 1, ${beginning} + i * ${days * 86_400} / ${logs}, 2, '', 'user' || (i % ${users} + 1),
  'token ' || (i % 3), 'model-' || (i * 7 % ${models}), i % 900, i % 5000, i % 700, i % 20, 1, 'request-' || i, '${other}'`;

const logColumns = `id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
  completion_tokens, use_time, channel_id, request_id, other`;

const userColumns = `id, username, password, role, status, quota, used_quota, "group"`;
const userValues = `i, 'user' || i, '', case when i = 1 then 100 else 1 end, 1, 1000000, 100000000000, 'default'`;

function fillOnSqlite(source: SourceDatabase, logs: number): void {
  const numbers = (max: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${max})`;
  source.run(`insert into users (${userColumns}) ${numbers(users)} select ${userValues} from n`);
  source.run(`insert into logs (${logColumns}) ${numbers(logs)} select ${logValues(logs)} from n`);
}

async function fillOnPostgres(url: string, logs: number): Promise<void> {
  const pool = postgresPool(url, noDatabaseLimits, { settings: { max: 1 } });
  const client = await pool.connect();
  try {
    for (const table of tablesOnPostgres('new-api')) await client.query(table, []);
    await client.query(
      `insert into users (${userColumns}) select ${userValues} from generate_series(1, ${users}) as i`,
      [],
    );
    await client.query(
      `insert into logs (${logColumns}) select ${logValues(logs)} from generate_series(1::bigint, ${logs}) as i`,
      [],
    );
    await client.query('analyze', []);
  } finally {
    client.release();
    await pool.end();
  }
}

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
const location = (name: string, databaseUrl?: string) => ({ dataDir: join(folder, name), databaseUrl });
const runs: ImportRun[] = [{ name: 'SQLite to SQLite', from: file.path, into: location('first') }];
if (values.postgres) {
  const { url, stop } = await startPostgres();
  cleanup.defer(stop);
  const database = new BenchDatabase(url);
  cleanup.defer(() => database.end());
  const source = await database.create('import_source');
  await fillOnPostgres(source, logs);
  runs.push(
    { name: 'SQLite to PostgreSQL', from: file.path, into: location('second', await database.create('import_second')) },
    { name: 'PostgreSQL to SQLite', from: source, into: location('third') },
    {
      name: 'PostgreSQL to PostgreSQL',
      from: source,
      into: location('fourth', await database.create('import_fourth')),
    },
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
