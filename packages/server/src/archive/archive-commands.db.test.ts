import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ledgerApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { describe, expect, inject, test } from 'vitest';
import { runBackup } from '../composition/backup-command.ts';
import { readConfig } from '../config.ts';
import { upToDate } from '../db/up-to-date.ts';
import { checkStoredLedger } from '../ledger/stored-ledger-repository.ts';
import { SecretBox } from '../secrets/secret-box.ts';
import { loadSecretKey } from '../secrets/secret-key.ts';
import { contentsOf, exportTo, fileFolder, passphrase, restoreFrom } from '../testing/archive-scene.ts';
import { runFile, runFileOnTerminal } from '../testing/program.ts';
import { relayScene } from '../testing/relay-scene.ts';
import { writeLogs } from '../testing/sample-logs.ts';
import { sceneLoad } from '../testing/scene-load.ts';
import { startTestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const path = '/usr/bin:/bin';

async function run(file: string, args: readonly string[], environment: Record<string, string>, input = '') {
  await using program = runFile(file, args, { environment: { PATH: path, ...environment } });
  program.process.stdin.end(input);
  return await program.exit;
}

async function filledPlace(): Promise<TestDatabase> {
  const place = await createTestDatabase();
  const app = await startTestApp({ on: place });
  await app.createUser({ username: 'somebody', quota: 5 });
  await app.close();
  return place;
}

describe('the commands', () => {
  test('make a file and restore it, with a passphrase from the environment or piped in', async () => {
    using files = fileFolder();
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
    expect(check.stdout).toContain('The file is sound');
    expect(readdirSync(target.location.dataDir)).toEqual([]);
    const restored = await run('restore.ts', ['--from', file], target.environment, `${passphrase}\n`);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('All of it is here now.');
    expect((await contentsOf(target))['users']).toEqual((await contentsOf(source))['users']);
    expect(`${exported.stdout}${restored.stdout}`).not.toContain(passphrase);
  });

  test.each([
    ['export.ts', [], 'Use: npm run export'],
    ['export.ts', ['--to'], 'Use: npm run export'],
    ['export.ts', ['--to', 'x', '--passphrase', 'y'], 'Use: npm run export'],
    ['export.ts', ['--to', 'x', '--logs-since', '2026-13-01'], 'Use: npm run export'],
    ['export.ts', ['--to', 'x', '--logs-since', '2026-01-01', '--without-logs'], 'Use: npm run export'],
    ['export.ts', ['--to', 'x'], 'A passphrase has at least 12 characters'],
    ['restore.ts', [], 'Use: npm run restore'],
    ['backup.ts', [], 'Use: npm run backup'],
    ['backup.ts', ['folder'], 'Use: npm run backup'],
    ['backup.ts', ['--to', '/proc/x'], '/proc/x/headgate-'],
  ] as const)('%s %j says in one sentence what is wrong', async (file, args, sentence) => {
    await using place = await createTestDatabase();
    const { code, stdout, stderr } = await run(file, args, place.environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^headgate: .+\n$/);
    expect(stderr).toContain(sentence);
  });
});

const terminals = '/usr/bin/script';

if (existsSync(terminals))
  describe('on a terminal', () => {
    test('a new passphrase is asked for twice, and nothing of what is typed is shown', async () => {
      using files = fileFolder();
      await using source = await filledPlace();
      const { environment } = source;
      await using program = runFileOnTerminal('export.ts', ['--to', files.path('all')], { environment });
      await program.says(/Passphrase of the file: $/);
      program.process.stdin.write(`${passphrase}\r`);
      await program.says(/The same again: $/);
      program.process.stdin.write(`${passphrase}\r`);
      const { code, stdout } = await program.exit;
      expect([code, existsSync(files.path('all'))]).toEqual([0, true]);
      expect(stdout).not.toContain('horse');
    });

    test('two that differ make no file', async () => {
      using files = fileFolder();
      await using source = await filledPlace();
      const { environment } = source;
      await using program = runFileOnTerminal('export.ts', ['--to', files.path('all')], { environment });
      await program.says(/Passphrase of the file: $/);
      program.process.stdin.write(`${passphrase}\r`);
      await program.says(/The same again: $/);
      program.process.stdin.write('another one of length\r');
      const { code, stdout } = await program.exit;
      expect(code).toBe(1);
      expect(stdout).toContain('The two differ; nothing was exported.');
      expect(readdirSync(dirname(files.path('all')))).toEqual([]);
    });
  });

describe('[A48.4] killed half-way', () => {
  test('an export leaves nothing under its name, and a restore all or nothing', async () => {
    using files = fileFolder();
    await using source = await filledPlace();
    const app = await startTestApp({ on: source });
    for (let part = 0; part < 10; part += 1) {
      await writeLogs(
        app.database,
        Array.from({ length: 1000 }, (_, index) => ({ content: `${part} ${index}` })),
      );
    }
    await app.close();
    const file = files.path('all');
    const environment = { ...source.environment, EXPORT_PASSPHRASE: passphrase };
    await using exporting = runFile('export.ts', ['--to', file], { environment });
    await exporting.line(/^users: /);
    exporting.process.kill('SIGKILL');
    await exporting.exit;
    expect(existsSync(file)).toBe(false);

    await exportTo(file, source);
    await using target = await createTestDatabase();
    await using restoring = runFile('restore.ts', ['--from', file], {
      environment: { ...target.environment, EXPORT_PASSPHRASE: passphrase },
    });
    // Soon after it has said the last of what is in the file, it writes.
    await restoring.line(/^user_days: /);
    restoring.process.kill('SIGKILL');
    await restoring.exit;
    await restoreFrom(file, target);
    expect(await contentsOf(target)).toEqual(await contentsOf(source));
    expect(readdirSync(target.location.dataDir).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });

  test('an export that is told to end says so and leaves nothing', async () => {
    using files = fileFolder();
    await using source = await filledPlace();
    const ending = new AbortController();
    const say = (line: string) => (line.startsWith('users') ? ending.abort() : undefined);
    await expect(exportTo(files.path('all'), source, { signal: ending.signal, say })).rejects.toThrow();
    expect(readdirSync(dirname(files.path('all')))).toEqual([]);
  });
});

test.each([
  [
    'is not there',
    '/nowhere',
    /^headgate: pg_dump is not on this machine\. Where it is: pg_dump .+'postgres:\/\/me@127\.0\.0\.1:1\/x'\n$/,
  ],
  ['cannot reach the database', path, /^headgate: pg_dump failed: .+\n$/],
])('a pg_dump that %s is told in one sentence, without the password', async (_, folders, sentence) => {
  using files = fileFolder();
  const environment = { PATH: folders, DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x' };
  const { code, stdout, stderr } = await run('backup.ts', ['--to', files.path('backups')], environment);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('geheim');
  expect(readdirSync(files.path('backups'))).toEqual([]);
});

test('a backup while requests are charged is of one moment, sound and balanced', async () => {
  using files = fileFolder();
  await using app = await startTestApp();
  const scene = await relayScene(app, { upstreams: [completion()] });
  const load = sceneLoad(scene, 8);
  await expect.poll(async () => (await scene.books()).user.request_count).toBeGreaterThan(10);
  const lines: string[] = [];
  const place = { ...readConfig({}), ...app.location };
  await runBackup(
    { to: files.path('backups'), now: new Date(1_800_000_000_000), say: (line) => lines.push(line) },
    place,
  );
  expect(await load.end()).toEqual([]);
  await scene.close();
  const folder = join(files.path('backups'), 'headgate-2027-01-15T08-00-00Z');
  expect(readdirSync(files.path('backups'))).toEqual(['headgate-2027-01-15T08-00-00Z']);
  expect(lines.at(-1)).toContain('The secret key is not in it');
  expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  // As docs/backup.md says: the copy, and the key that was kept elsewhere.
  await using target = await createTestDatabase();
  copyFileSync(join(app.location.dataDir, 'secret.key'), join(target.location.dataDir, 'secret.key'));
  await putBack[inject('database')](folder, target);
  await using after = await startTestApp({ on: target });
  const admin = await after.as('admin');
  expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0, set_aside: 0 });
  expect(await checkStoredLedger(target.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  const { request_count } = await after.database
    .selectFrom(upToDate(after.database, 'users'))
    .select('request_count')
    .where('id', '=', scene.user.id)
    .executeTakeFirstOrThrow();
  expect(request_count).toBeGreaterThan(10);
  const token = await after.database.selectFrom('tokens').selectAll().executeTakeFirstOrThrow();
  const box = new SecretBox(loadSecretKey(target.location.dataDir, undefined));
  expect(box.open(token.key_sealed)).toBe(scene.token.key);
});

const putBack = {
  sqlite: async (folder: string, { location }: TestDatabase) => {
    expect(readdirSync(folder)).toEqual(['headgate.db']);
    copyFileSync(join(folder, 'headgate.db'), join(location.dataDir, 'headgate.db'));
  },
  postgres: async (folder: string, { location: { databaseUrl = '' } }: TestDatabase) => {
    expect(readdirSync(folder)).toEqual(['headgate.dump']);
    await promisify(execFile)('pg_restore', ['--no-owner', `--dbname=${databaseUrl}`, join(folder, 'headgate.dump')]);
  },
};
