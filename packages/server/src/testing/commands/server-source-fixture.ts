import type { OneApiSourceKind, SourceLimits } from '@headgate/importer';
import { expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { pausingProxy } from '../database/pausing-proxy.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { runFile } from '../process/program.ts';
import { currentRollups, rollupsOfLogs } from '../records/rollups.ts';
import { databaseContents, importFrom, queryDatabase, sourcePassword } from './import-fixture.ts';
import { sourceRows } from './source-rows.ts';
import type { ServerSourceDatabase, SourceServer } from './source-servers.ts';

export const sourceRoot = { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash };
/** More than one page, which has 5000 logs. */
export const sourceLogCount = 6000;
export const sourceLogsSince = Date.parse('2025-11-01T00:00:00Z') / 1000;

/** A source database with rows of every kind and times in the server's own format. */
export async function createFilledSource(server: SourceServer, kind: OneApiSourceKind): Promise<ServerSourceDatabase> {
  const source = await server.create(kind);
  for (const [table, rows] of Object.entries(sourceRows(kind))) {
    for (const { deleted_at: deleted, ...row } of rows)
      await source.add(table, typeof deleted === 'string' ? { ...row, deleted_at: deleted.slice(0, 19) } : row);
  }
  return source;
}

export async function sourceWithLogs(server: SourceServer, count = sourceLogCount): Promise<ServerSourceDatabase> {
  const source = await server.create('new-api');
  await source.add('users', sourceRoot, { id: 4, username: 'alice', used_quota: count });
  await source.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
    select i, 4, ${sourceLogsSince} + i - 6000, 2, 'alice', 'gpt-4o', 1, 2 from ${server.numbers(count)}`);
  return source;
}

export const importedLogs = (into: Pick<TestDatabase, 'location'>) =>
  queryDatabase(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

export async function expectMatchingLedger(into: Pick<TestDatabase, 'location'>) {
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0 });
  const { stored, counted } = await queryDatabase(into, async (database) => ({
    stored: await currentRollups(database),
    counted: await rollupsOfLogs(database),
  }));
  expect(stored).toEqual(counted);
}

export async function expectAllLogs(into: Pick<TestDatabase, 'location'>) {
  const logs = await importedLogs(into);
  expect(new Set(logs.map(({ created_at }) => created_at)).size).toBe(sourceLogCount);
  expect(logs).toHaveLength(sourceLogCount);
  expect((await databaseContents(into))['users']?.[1]).toMatchObject({ used_quota: sourceLogCount, unlogged_quota: 0 });
  await expectMatchingLedger(into);
}

/** Kills an import while it copies logs, then resumes it. */
export const describeKilledServerImport = (server: SourceServer, targets: readonly ('sqlite' | 'postgres')[]) =>
  test.each(targets)('[A9.1] an import killed while copying logs into %s resumes where it stopped', async (target) => {
    await using source = await sourceWithLogs(server);
    // The second page of logs is never returned, so the kill always comes after the first.
    for (const statement of server.neverAfter(5000)) await source.run(statement);
    await using stored = await createTestDatabase(target);
    const args = ['--from', source.path, '--logs-since', '2025-01-01'];
    await using program = runFile('import.ts', args, { environment: { ...stored.environment } });
    await program.line(/^logs: 5000 read$/);
    program.process.kill('SIGKILL');
    expect(await program.exit).toMatchObject({ signal: 'SIGKILL' });
    expect(await importedLogs(stored)).toHaveLength(5000);
    await expectMatchingLedger(stored);
    await server.restore(source);
    await importFrom(source, stored, { logsSince: startOf2025 });
    await expectAllLogs(stored);
    const before = await databaseContents(stored);
    await importFrom(source, stored, { logsSince: sourceLogsSince });
    expect(await databaseContents(stored)).toEqual(before);
  });

const startOf2025 = Date.parse('2025-01-01T00:00:00Z') / 1000;

export const shortTimeouts: SourceLimits = { connectMs: 2000, statementMs: 2000, lockMs: 1000, graceMs: 100 };

/** How and when a server stops. */
type Outage = readonly [title: string, act: 'freeze' | 'cut', when: RegExp];

const beforeRows = / is a .* database\.$/;
const amongLogs = /^logs: 5000 read$/;

export const outageCases = {
  silentBefore: ['stops responding before any row was read', 'freeze', beforeRows],
  silentAmong: ['stops responding among the logs', 'freeze', amongLogs],
  cutBefore: ['disconnects before any row was read', 'cut', beforeRows],
  cutAmong: ['disconnects among the logs', 'cut', amongLogs],
} as const satisfies Readonly<Record<string, Outage>>;

/** Stops the source during an import and imports the rest afterwards. */
export const describeOutages = (server: SourceServer, chosen: readonly Outage[]) =>
  test.each(chosen)(
    '[A54.10] a source that %s ends the import with a one-sentence error, and the next run imports the rest',
    async (_, act, when) => {
      await using source = await sourceWithLogs(server);
      await using proxy = await pausingProxy(source.path);
      await using stored = await createMigratedDatabase();
      const sourceLimits = act === 'freeze' ? shortTimeouts : undefined;
      const print = (line: string) => void (when.test(line) && proxy[act]());
      await expect(
        importFrom({ path: proxy.url }, stored, { logsSince: 0, print, ...(sourceLimits && { sourceLimits }) }),
      ).rejects.toThrow(/ cannot be read \([^)]+\)\.$/);
      await expectMatchingLedger(stored);
      await importFrom(source, stored, { logsSince: 0 });
      await expectAllLogs(stored);
    },
  );
