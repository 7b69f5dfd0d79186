import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { addressOf, runFile, startServer } from '../../testing/process/program.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { openDatabase, openForReading } from './database.ts';

const onSqlite = inject('database') === 'sqlite';

const rejection = (file: string) =>
  `Another Headgate process uses the database file ${file}; stop it first, or set DATA_DIR to another folder.`;

const newLock = (file: string) =>
  `Another program has the database file ${file} open, and the lock file ${file}.lock is new. It may be another Headgate process: stop it first.`;

if (onSqlite)
  describe('one process per SQLite file', () => {
    test('[A9.2] a second process fails with a one-line error, and the first continues to serve', async () => {
      await using stored = await createMigratedDatabase();
      await using first = startServer(stored.environment, stored.location.dataDir);
      const url = await addressOf(first);
      const file = join(stored.location.dataDir, 'headgate.db');
      await expect(startTestApp({ on: stored, patienceMs: 0 })).rejects.toThrow(rejection(file));
      expect((await fetch(`${url}/api/status`)).status).toBe(200);
    });

    test('[A9.2] a second process also fails if it opens the file under another name', async () => {
      await using app = await startTestApp();
      const file = join(app.location.dataDir, 'headgate.db');
      const elsewhere = mkdtempSync(join(tmpdir(), 'headgate-other-'));
      symlinkSync(file, join(elsewhere, 'headgate.db'));
      const location = { dataDir: elsewhere, databaseUrl: undefined };
      await expect(startTestApp({ on: { location }, patienceMs: 0 })).rejects.toThrow(rejection(file));
    });

    test('[A9.5] a second process also fails if the lock file was deleted or replaced, even when retrying', async () => {
      await using stored = await createMigratedDatabase();
      const { dataDir } = stored.location;
      const file = join(dataDir, 'headgate.db');
      await using first = startServer(stored.environment, dataDir);
      const url = await addressOf(first);
      const copy = join(dataDir, 'copy');
      copyFileSync(`${file}.lock`, copy);
      rmSync(`${file}.lock`);
      await expect(startTestApp({ on: stored, patienceMs: 0 })).rejects.toThrow(newLock(file));
      renameSync(copy, `${file}.lock`);
      await expect(startTestApp({ on: stored, patienceMs: 0 })).rejects.toThrow(newLock(file));
      expect((await fetch(`${url}/api/status`)).status).toBe(200);
      first.process.kill('SIGKILL');
      await first.exit;
      await using _next = await startTestApp({ on: stored, patienceMs: 0 });
    });

    test('[A9.5] a second process also fails with another hard link to the file, which has a separate lock file', async () => {
      await using app = await startTestApp();
      const elsewhere = mkdtempSync(join(app.location.dataDir, 'other-'));
      const file = join(elsewhere, 'headgate.db');
      linkSync(join(app.location.dataDir, 'headgate.db'), file);
      const location = { dataDir: elsewhere, databaseUrl: undefined };
      await expect(startTestApp({ on: { location }, patienceMs: 0 })).rejects.toThrow(newLock(file));
    });

    test('programs that have the database open do not prevent a start if the lock file is from the last start', async () => {
      await using stored = await createMigratedDatabase();
      await (await startTestApp({ on: stored })).close();
      const reading = await openForReading(stored.location);
      await using closing = new AsyncDisposableStack();
      closing.defer(() => reading.destroy());
      await reading.selectFrom('users').select('id').execute();
      await using _next = await startTestApp({ on: stored, patienceMs: 0 });
    });

    test('[A9.2] after kill -9, the next start does not wait', async () => {
      await using stored = await createMigratedDatabase();
      await using first = startServer(stored.environment, stored.location.dataDir);
      await addressOf(first);
      first.process.kill('SIGKILL');
      await first.exit;
      await using _next = await startTestApp({ on: stored, patienceMs: 0 });
    });

    test('[A9.2] a start waits for a process that is shutting down', async () => {
      await using stored = await createMigratedDatabase();
      const first = await startTestApp({ on: stored });
      const starting = startTestApp({ on: stored, patienceMs: 60_000 });
      await first.close();
      await using _next = await starting;
    });

    test('a failed start releases the file', async () => {
      await using stored = await createMigratedDatabase();
      const { dataDir } = stored.location;
      const file = join(dataDir, 'headgate.db');
      writeFileSync(file, 'words '.repeat(1000));
      await expect(startTestApp({ on: stored, patienceMs: 0 })).rejects.toThrow('cannot be used');
      renameSync(file, join(dataDir, 'damaged'));
      await using _next = await startTestApp({ on: stored, patienceMs: 0 });
    });

    test('programs that read the database or set a password are not locked out', async () => {
      await using app = await startTestApp();
      const environment = { DATA_DIR: app.location.dataDir };
      expect(await runFile('audit.ts', [], { environment }).exit).toMatchObject({ code: 0 });
      const passwd = runFile('passwd.ts', ['root'], { environment });
      passwd.process.stdin.end('a new password\n');
      expect(await passwd.exit).toMatchObject({ code: 0 });
    });
  });

if (!onSqlite)
  test('PostgreSQL allows several processes', async () => {
    await using app = await startTestApp();
    await using other = await startTestApp({ beside: app });
    expect((await fetch(`${other.url}/api/status`)).status).toBe(200);
  });

const modeOf = (path: string) => statSync(path).mode & 0o777;

const modesIn = (folder: string) =>
  Object.fromEntries(['', ...readdirSync(folder)].map((name) => [name, modeOf(join(folder, name)).toString(8)]));

/** Windows has no file modes. */
if (process.platform !== 'win32')
  describe('[A35.1] access to files in the data folder', () => {
    test('file access is limited to the owner for new files', async () => {
      await using stored = await createMigratedDatabase();
      const dataDir = join(stored.location.dataDir, 'deeper');
      await using _app = await startTestApp({ on: { location: { ...stored.location, dataDir } } });
      const files = ['headgate.db', 'headgate.db-shm', 'headgate.db-wal', 'headgate.db.lock', 'apply.sock'];
      const names = ['secret.key', ...(onSqlite ? files : [])];
      expect(modesIn(dataDir)).toEqual({ '': '700', ...Object.fromEntries(names.map((name) => [name, '600'])) });
    });

    test('file access is limited to the owner for existing files, while unrelated files keep their modes', async () => {
      await using stored = await createMigratedDatabase();
      const { dataDir } = stored.location;
      await (await startTestApp({ on: stored })).close();
      // Left by a killed process.
      const left = await openDatabase(stored.location);
      for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o666);
      writeFileSync(join(dataDir, 'headgate.db.before-upgrade'), '', { mode: 0o644 });
      writeFileSync(join(dataDir, 'notes.txt'), '');
      chmodSync(join(dataDir, 'notes.txt'), 0o644);
      mkdirSync(join(dataDir, 'folder'));
      chmodSync(join(dataDir, 'folder'), 0o755);
      chmodSync(dataDir, 0o755);
      await using _app = await startTestApp({ on: stored });
      const { 'notes.txt': notes, folder, '': whole, ...others } = modesIn(dataDir);
      expect([notes, folder, whole]).toEqual(['644', '755', '700']);
      expect(new Set(Object.values(others))).toEqual(new Set(['600']));
      expect(Object.keys(others)).toContain('secret.key');
      await left.destroy();
    });

    test('file access is limited to the owner even in a shared folder, which is left unchanged', async () => {
      await using stored = await createMigratedDatabase();
      const dataDir = join(stored.location.dataDir, 'shared');
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o1777);
      await using _app = await startTestApp({ on: { location: { ...stored.location, dataDir } } });
      const { '': whole, ...files } = modesIn(dataDir);
      expect(whole).toBe('777');
      expect(new Set(Object.values(files))).toEqual(new Set(['600']));
    });
  });
