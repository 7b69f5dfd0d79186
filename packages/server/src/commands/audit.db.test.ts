import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runFile } from '../testing/process/program.ts';
import { sampleHour, writeLogs } from '../testing/records/sample-logs.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const onSqlite = inject('database') === 'sqlite';

const doctorEnvironment = ({ location: { dataDir, databaseUrl } }: TestApp) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

async function audit(args: readonly string[], environment: Record<string, string> = {}) {
  await using program = runFile('audit.ts', args, { environment });
  return await program.exit;
}

const fileOf = ({ location: { dataDir } }: TestApp) => join(dataDir, 'headgate.db');
const locationOf = (app: TestApp) => app.location.databaseUrl ?? fileOf(app);

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-audit-'));
  folders.push(folder);
  return folder;
}

test('reports a balanced ledger for the configured database while it is in use', async () => {
  await using app = await startTestApp();
  await app.createUser({ quota: 3 });
  expect(await audit([], doctorEnvironment(app))).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    stdout: 'ledger balanced: 2 users\n',
  });
});

test('lists users whose ledger is off by any amount, largest difference first, with usernames escaped', async () => {
  await using app = await startTestApp();
  const one = await app.createUser({ credited: 3 });
  const other = await app.createUser({ username: 'a\u001b[31m\nb', quota: 9, credited: 4 });
  expect(await audit(['--database', locationOf(app)], { DATA_DIR: emptyFolder() })).toEqual({
    code: 1,
    signal: null,
    stderr: '',
    stdout: [
      'ledger of 3 users off by 8; largest first:',
      `user ${other.id} "a\\u001b[31m\\nb": -5`,
      `user ${one.id} "${one.username}": 3`,
      '',
    ].join('\n'),
  });
});

test('[A9.8] lists users whose log entries do not add up to their usage', async () => {
  await using app = await startTestApp();
  const { id, username } = await app.createUser({ quota: 3, used_quota: 10, unlogged_quota: 0 });
  await writeLogs(app.database, [{ created_at: sampleHour, type: 2, user_id: id, quota: 10 }]);
  expect(await audit([], doctorEnvironment(app))).toMatchObject({ code: 0, stdout: 'ledger balanced: 2 users\n' });
  await app.database.updateTable('logs').set({ quota: 4 }).where('user_id', '=', id).execute();
  expect(await audit([], doctorEnvironment(app))).toMatchObject({
    code: 1,
    stdout: [
      'ledger of 2 users off by 0; log off by 6; largest first:',
      `user ${id} "${username}": 0; log off by 6`,
      '',
    ].join('\n'),
  });
});

if (onSqlite)
  describe('unreadable database', () => {
    test('a missing file is reported in one sentence and not created', async () => {
      const folder = emptyFolder();
      const missing = join(folder, 'headgate.db');
      const expected = {
        code: 1,
        signal: null,
        stdout: '',
        stderr: `headgate: There is no database file ${missing}.\n`,
      };
      expect(await audit([], { DATA_DIR: folder })).toEqual(expected);
      expect(await audit(['--database', missing], {})).toEqual(expected);
      expect(readdirSync(folder)).toEqual([]);
    });

    test('a file that is not a database is reported in one sentence', async () => {
      const file = join(emptyFolder(), 'text.db');
      writeFileSync(file, 'words '.repeat(1000));
      const { code, stderr } = await audit(['--database', file]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^headgate: The database file \S+ cannot be used \(.+\)\. It was not changed\.\n$/);
    });

    test('a database without users is reported in one sentence', async () => {
      const file = join(emptyFolder(), 'empty.db');
      writeFileSync(file, '');
      const { code, stderr } = await audit(['--database', file]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^headgate: This database has no ledger \(.+\)\. Start this version of Headgate on it once\.\n$/,
      );
    });

    test('an address without a listening server is reported in one sentence without its password', async () => {
      const { code, stderr } = await audit(['--database', 'postgres://someone:secret@127.0.0.1:1/none']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^headgate: DATABASE_URL cannot be reached: 127\.0\.0\.1:1\/none/);
      expect(stderr).not.toContain('secret');
    });

    test.each([[['--database']], [['--nonsense']], [['words']]])(
      'invalid arguments such as %j are reported in one sentence',
      async (args) => {
        expect(await audit(args)).toEqual({
          code: 2,
          signal: null,
          stdout: '',
          stderr: 'headgate: Use: npm run audit -- [--database <file or postgres:// address>]\n',
        });
      },
    );
  });

if (onSqlite)
  test('the database file stays byte-identical if it is not in use', async () => {
    const app = await startTestApp();
    const copy = join(emptyFolder(), 'copy.db');
    await app.app.close();
    await app.database.destroy();
    writeFileSync(copy, readFileSync(fileOf(app)), { mode: 0o400 });
    const hash = () => createHash('sha256').update(readFileSync(copy)).digest('hex');
    const before = hash();
    expect(await audit(['--database', copy])).toMatchObject({ code: 0, stdout: 'ledger balanced: 1 users\n' });
    expect(hash()).toBe(before);
  });
