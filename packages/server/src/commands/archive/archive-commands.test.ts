import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveContents, archiveFolder, passphrase } from '../../testing/commands/archive-fixture.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { runFile, runFileOnTerminal } from '../../testing/process/program.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { readBackupFolder, readExportArguments, readRestoreArguments } from './archive-arguments.ts';

const path = '/usr/bin:/bin';

async function run(file: string, args: readonly string[], environment: Record<string, string>, input = '') {
  await using program = runFile(file, args, { environment: { PATH: path, ...environment } });
  program.process.stdin.end(input);
  return await program.exit;
}

async function filledPlace(): Promise<TestDatabase> {
  const database = await createMigratedDatabase();
  const app = await startTestApp({ on: database });
  await app.createUser({ username: 'somebody', quota: 5 });
  await app.close();
  return database;
}

describe('archive commands', () => {
  test('exports and restores with a passphrase from the environment or from standard input', async () => {
    using files = archiveFolder();
    await using source = await filledPlace();
    await using target = await createTestDatabase();
    const file = files.path('all.headgate');
    const exported = await run('export.ts', ['--to', file], { ...source.environment, EXPORT_PASSPHRASE: passphrase });
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toContain('users: 2 rows\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['all.headgate']);
    const check = await run('restore.ts', ['--from', file, '--check'], target.environment, `${passphrase}\n`);
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toContain('The file is intact');
    expect(readdirSync(target.location.dataDir)).toEqual([]);
    const restored = await run('restore.ts', ['--from', file], target.environment, `${passphrase}\n`);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('Restore finished.');
    expect((await archiveContents(target))['users']).toEqual((await archiveContents(source))['users']);
    expect(`${exported.stdout}${restored.stdout}`).not.toContain(passphrase);
  });

  test.each([
    ['export.ts', ['--to', 'x'], 1, 'The passphrase must have at least 12 characters'],
    ['restore.ts', [], 2, 'Use: npm run restore'],
    ['backup.ts', ['--to', '/proc/x'], 1, '/proc/x/headgate-'],
  ] as const)('%s %j exits with %i and prints one sentence', async (file, args, exitCode, sentence) => {
    await using database = await createTestDatabase();
    const { code, stdout, stderr } = await run(file, args, database.environment);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(/^headgate: .+\n$/);
    expect(stderr).toContain(sentence);
  });

  test.each([
    [readExportArguments, 'export', []],
    [readExportArguments, 'export', ['--to']],
    [readExportArguments, 'export', ['--to', 'x', '--passphrase', 'y']],
    [readExportArguments, 'export', ['--to', 'x', '--logs-since', '2026-13-01']],
    [readExportArguments, 'export', ['--to', 'x', '--logs-since', '2026-01-01', '--without-logs']],
    [readRestoreArguments, 'restore', ['--from', '']],
    [readBackupFolder, 'backup', []],
    [readBackupFolder, 'backup', ['folder']],
  ] as const)('%o rejects the %s arguments %j with the usage', (read, name, args) => {
    expect(() => read(args)).toThrow(`Use: npm run ${name}`);
  });

  test('the arguments select the logs to export', () => {
    const logsSince = (...args: readonly string[]) => readExportArguments(['--to', 'x', ...args]).logsSince;
    expect(logsSince()).toBeNull();
    expect(logsSince('--logs-since', '2026-01-01')).toBe(1_767_225_600);
    expect(logsSince('--without-logs')).toBe(Number.MAX_SAFE_INTEGER);
    expect(readRestoreArguments(['--from', 'x', '--check'])).toEqual({ from: 'x', isCheck: true });
  });
});

const terminals = '/usr/bin/script';

if (existsSync(terminals))
  describe('passphrase prompt', () => {
    test('a new passphrase is prompted for twice without echo', async () => {
      using files = archiveFolder();
      await using source = await filledPlace();
      const { environment } = source;
      await using program = runFileOnTerminal('export.ts', ['--to', files.path('all')], { environment });
      await program.message(/Passphrase: $/);
      program.process.stdin.write(`${passphrase}\r`);
      await program.message(/Repeat the passphrase: $/);
      program.process.stdin.write(`${passphrase}\r`);
      const { code, stdout } = await program.exit;
      expect([code, existsSync(files.path('all'))]).toEqual([0, true]);
      expect(stdout).not.toContain('horse');
    });

    test('two different passphrases create no file', async () => {
      using files = archiveFolder();
      await using source = await filledPlace();
      const { environment } = source;
      await using program = runFileOnTerminal('export.ts', ['--to', files.path('all')], { environment });
      await program.message(/Passphrase: $/);
      program.process.stdin.write(`${passphrase}\r`);
      await program.message(/Repeat the passphrase: $/);
      program.process.stdin.write('another one of length\r');
      const { code, stdout } = await program.exit;
      expect(code).toBe(1);
      expect(stdout).toContain('The passphrases do not match. Nothing was exported.');
      expect(readdirSync(dirname(files.path('all')))).toEqual([]);
    });
  });

test.each([
  [
    'is not installed',
    '/nowhere',
    /^headgate: pg_dump is not installed\. Run it on another machine: pg_dump .+'postgres:\/\/me@127\.0\.0\.1:1\/x'\n$/,
  ],
  ['cannot reach the database', path, /^headgate: pg_dump failed: .+\n$/],
])('when pg_dump %s, the error is one sentence without the password', async (_, folders, sentence) => {
  using files = archiveFolder();
  const environment = { PATH: folders, DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x' };
  const { code, stdout, stderr } = await run('backup.ts', ['--to', files.path('backups')], environment);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('geheim');
  expect(readdirSync(files.path('backups'))).toEqual([]);
});
