import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { OneApiSourceKind } from '@headgate/importer';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { comparableDatabase, databaseContents, importFrom } from '../../testing/commands/import-fixture.ts';
import { type MariadbServer, startMariadb } from '../../testing/commands/mysql-source-database.ts';
import { PostgresSourceDatabase } from '../../testing/commands/postgres-source-database.ts';
import {
  createFilledSource,
  describeKilledServerImport,
  describeOutages,
  expectAllLogs,
  expectMatchingLedger,
  importedLogs,
  outageCases,
  shortTimeouts,
  sourceLogCount,
  sourceLogsSince,
  sourceRoot,
  sourceWithLogs,
} from '../../testing/commands/server-source-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { sourceRows } from '../../testing/commands/source-rows.ts';
import { mysqlSourceServer, postgresSourceServer, type SourceServer } from '../../testing/commands/source-servers.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';

let mariadb: MariadbServer;
beforeAll(async () => {
  mariadb = await startMariadb();
});
afterAll(() => mariadb[Symbol.asyncDispose]());

const servers: readonly (readonly [string, SourceServer])[] = [
  ['PostgreSQL', postgresSourceServer],
  ['MySQL', mysqlSourceServer(() => mariadb)],
];
const kinds: readonly OneApiSourceKind[] = ['one-api', 'new-api'];

type FileImport = Promise<{ readonly lines: readonly string[]; readonly contents: object }>;
const fileImports = new Map<OneApiSourceKind, FileImport>();

/** Output and stored data of an import of the same rows from a file; imported once. */
function importedFile(kind: OneApiSourceKind): FileImport {
  const known = fileImports.get(kind) ?? importFile(kind);
  fileImports.set(kind, known);
  return known;
}

async function importFile(kind: OneApiSourceKind): FileImport {
  using file = new SourceDatabase(kind);
  for (const [table, rows] of Object.entries(sourceRows(kind))) file.add(table, ...rows);
  await using stored = await createMigratedDatabase();
  const [, ...lines] = await importFrom(file, stored, { logsSince: 0 });
  return { lines, contents: await comparableDatabase(stored) };
}

// server-source.faults.pg.test.ts covers all combinations of killed imports and outages.
describe.each(servers)('gateway on %s', (name, server) => {
  test.each(kinds)('imports every row, change and reason from %s like from a file, and only once', async (kind) => {
    const { lines, contents } = await importedFile(kind);
    await using source = await createFilledSource(server, kind);
    await using fromServer = await createMigratedDatabase();
    const [, ...planned] = await importFrom(source, fromServer, { isDryRun: true });
    expect((await databaseContents(fromServer))['imported_rows']).toEqual([]);
    const [place, ...linesOfServer] = await importFrom(source, fromServer, { logsSince: 0 });
    expect(place).toMatch(new RegExp(`^${name} at [^@]+ is a (One API|new-api) database\\.$`));
    expect(linesOfServer).toEqual(lines);
    expect(lines).toEqual(expect.arrayContaining(planned.slice(0, -1)));
    expect(lines).toContain('  channel 10 "far too long" skipped: has a text longer than 1,000,000 characters');
    expect(await comparableDatabase(fromServer)).toEqual(contents);
    await expectMatchingLedger(fromServer);
    const before = await databaseContents(fromServer);
    await importFrom(source, fromServer, { logsSince: 0 });
    expect(await databaseContents(fromServer)).toEqual(before);
  });

  test('imports logs from a day that begins within the second page', async () => {
    await using source = await sourceWithLogs(server, 11_000);
    await using stored = await createMigratedDatabase();
    expect((await importFrom(source, stored, { logsSince: sourceLogsSince })).at(-1)).toMatch(
      /^logs: 5001 read, 5001 imported, 0 skipped/,
    );
    expect((await importedLogs(stored)).map(({ created_at }) => created_at - sourceLogsSince)).toEqual(
      Array.from({ length: 5001 }, (_, index) => index),
    );
    await expectMatchingLedger(stored);
  });

  describeKilledServerImport(server, [name === 'MySQL' ? 'sqlite' : 'postgres']);

  describeOutages(
    server,
    name === 'MySQL' ? [outageCases.silentAmong] : [outageCases.silentBefore, outageCases.cutAmong],
  );

  test('[A54.10] a source that accepts a connection and never responds ends the import with a message', async () => {
    await using silent = Object.assign(createServer(), {
      async [Symbol.asyncDispose]() {
        silent.close();
      },
    });
    silent.on('connection', (socket) => socket.unref().on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const path = `${name === 'MySQL' ? 'mysql' : 'postgres'}://reader:hidden@127.0.0.1:${port}/one`;
    await using stored = await createMigratedDatabase();
    const sourceLimits = { ...shortTimeouts, connectMs: 300 };
    await expect(importFrom({ path }, stored, { sourceLimits })).rejects.toThrow(/^[^@]+ cannot be read \([^)]+\)\.$/);
  });
});

describe('two concurrent imports', () => {
  test('[A54.11] two concurrent imports import each log once, and one of them reports why it stopped', async () => {
    await using source = await sourceWithLogs(postgresSourceServer);
    await source.run(`create function kept(number bigint) returns bigint language plpgsql stable as
        $$ begin while not pg_try_advisory_xact_lock_shared(42) loop perform pg_sleep(0.02); end loop; return number; end $$;
      alter table logs rename to true_logs;
      create view logs as select id, user_id, created_at, type, username, model_name, prompt_tokens,
        case when id > 5000 then kept(quota) else quota end as quota from true_logs`);
    await source.run('select pg_advisory_lock(42)');
    await using stored = await createMigratedDatabase();
    const lines: string[] = [];
    const first = importFrom(source, stored, { logsSince: 0, print: (line) => void lines.push(line) }).then(
      () => 'it ended well',
      (error: Error) => error.message,
    );
    await expect.poll(() => lines, { timeout: 100_000 }).toContain('logs: 5000 read');
    using file = new SourceDatabase('new-api').add('users', sourceRoot, {
      id: 4,
      username: 'alice',
      used_quota: sourceLogCount,
    });
    file.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sourceLogCount})
      select i, 4, ${sourceLogsSince} + i - 6000, 2, 'alice', 'gpt-4o', 1, 2 from n`);
    expect((await importFrom(file, stored, { logsSince: 0 })).at(-1)).toMatch(/^logs: 1000 read, 1000 imported/);
    await source.run('select pg_advisory_unlock(42)');
    expect(await first).toMatch(/^Another import is importing these logs/);
    await expectAllLogs(stored);
  });

  test('[A54.11] two concurrent imports import the users once: the second import is rejected', async () => {
    await using source = await PostgresSourceDatabase.create('one-api');
    await source.add('users', sourceRoot, { id: 4, username: 'alice', quota: 70 });
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored, { isDryRun: true });
    const holder = new pg.Client({ connectionString: stored.location.databaseUrl ?? '' });
    await holder.connect();
    try {
      await holder.query('begin; lock table users in share mode');
      const first = importFrom(source, stored);
      const waiting = () =>
        holder.query(
          'select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
        );
      await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
      await expect(importFrom(source, stored)).rejects.toThrow(/^Another import into this database is running/);
      await holder.query('commit');
      await first;
    } finally {
      await holder.end();
    }
    expect((await databaseContents(stored))['users']).toMatchObject([
      { username: 'root' },
      { username: 'alice', quota: 70 },
    ]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});
