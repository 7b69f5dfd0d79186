import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { openDatabase } from './database.ts';
import { openServerDatabase } from './server-database.ts';

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

async function failureOf(location: Parameters<typeof openDatabase>[0]): Promise<string> {
  const failure = await openDatabase(location).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  return (failure as StartFailure).message;
}

const noUser = 65_534;

/** Root can write to any file, so files are opened as another user, synchronously, before switching back to root. */
function asNobody<Result>(act: () => Result): Result {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(noUser);
  try {
    return act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('returns numbers as numbers, including sums and counts', async () => {
  await using testDatabase = await createTestDatabase();
  const database = await openDatabase(testDatabase.location);
  await sql`create table points (value bigint not null)`.execute(database);
  await sql`insert into points values (500000000000001), (500000000000001)`.execute(database);
  const { rows } =
    await sql<object>`select count(*) as count, sum(value) as sum, max(value) as max from points`.execute(database);
  expect({ ...rows[0] }).toEqual({ count: 2, sum: 1_000_000_000_000_002, max: 500_000_000_000_001 });
  await database.destroy();
});

if (inject('database') === 'postgres')
  describe('unreachable PostgreSQL server', () => {
    test.each([
      ['postgres://gateway:s3cret@127.0.0.1:1/headgate', '127.0.0.1:1/headgate (ECONNREFUSED)'],
      ['postgres://gateway@127.0.0.1:1/headgate?password=s3cret', '127.0.0.1:1/headgate (ECONNREFUSED)'],
      // Characters that must be encoded: otherwise the user and password look like host and port.
      ['postgres://gateway.invalid:1234#s3cret@127.0.0.1/headgate', 'it is not a valid URL (ENOTFOUND)'],
      ['postgres://gateway.invalid:1234/s3cret@127.0.0.1/headgate', 'it is not a valid URL (ENOTFOUND)'],
      ['postgres://gateway.invalid:1234?s3cret@127.0.0.1/headgate', 'it is not a valid URL (ENOTFOUND)'],
      ['postgres://gateway:s3cret@127.0.0.1:port/headgate', 'it is not a valid URL (ERR_INVALID_URL)'],
    ])('an unreachable server is reported without its password: %s', async (databaseUrl, shown) => {
      const message = await failureOf({ dataDir: '', databaseUrl });
      expect(message).toBe(`DATABASE_URL cannot be reached: ${shown}.`);
      expect(message).not.toMatch(/s3cret|1234/);
    });

    test('[A62.6] leaves no connections open while waiting for the server', async () => {
      await using stored = await createTestDatabase();
      const observer = await openDatabase(stored.location);
      const others = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(observer);
        return rows[0]?.count;
      };
      for (const allowed of [1, 2, 3]) {
        await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
        proxy.allow(allowed);
        const serving = openServerDatabase({ ...stored.location, databaseUrl: proxy.url });
        await expect(serving).rejects.toThrow('cannot be reached');
        // Must happen before the pool closes idle connections.
        await expect.poll(others, { timeout: 5000 }).toBe(0);
      }
      await observer.destroy();
    });

    test('reports a missing database', async () => {
      const url = new URL(inject('postgresUrl'));
      url.pathname = '/no_such_database';
      expect(await failureOf({ dataDir: '', databaseUrl: url.href })).toMatch(/\/no_such_database \(3D000\)\.$/);
    });
  });

if (inject('database') === 'sqlite')
  describe('SQLite file', () => {
    let directory = '';
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'headgate-files-'));
    });
    afterAll(() => rmSync(directory, { recursive: true }));

    test('a SQLite file can be read in its previous state while another process is writing to it', async () => {
      await using testDatabase = await createTestDatabase();
      const [writer, reader] = [await openDatabase(testDatabase.location), await openDatabase(testDatabase.location)];
      await sql`create table points (value bigint not null)`.execute(writer);
      const count = () =>
        reader
          .transaction()
          .setAccessMode('read only')
          .execute(async (connection) => (await sql`select * from points`.execute(connection)).rows.length);
      await writer.transaction().execute(async (connection) => {
        await sql`insert into points values (1)`.execute(connection);
        expect(await count()).toBe(0);
      });
      expect(await count()).toBe(1);
      await writer.destroy();
      await reader.destroy();
    });

    test('a SQLite file is created with its directory, readable only by its owner', async () => {
      const dataDir = join(directory, 'new', 'data');
      const database = await openDatabase({ dataDir, databaseUrl: undefined });
      await database.destroy();
      expect(existsSync(join(dataDir, 'headgate.db'))).toBe(true);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    });

    test('a SQLite file uses write-ahead logging and foreign keys', async () => {
      const database = await openDatabase({ dataDir: join(directory, 'settings'), databaseUrl: undefined });
      const setting = async (name: string) =>
        (await sql.raw<object>(`pragma ${name}`).execute(database)).rows.map(Object.values);
      expect(await setting('journal_mode')).toEqual([['wal']]);
      expect(await setting('foreign_keys')).toEqual([[1]]);
      await database.destroy();
    });

    /** An intact database of several pages. */
    function createDatabase(file: string): void {
      const database = new DatabaseSync(file);
      database.exec('pragma journal_mode = wal; create table things (id integer primary key, name text); begin');
      const insert = database.prepare('insert into things (name) values (?)');
      for (let index = 0; index < 2000; index += 1) insert.run(`thing ${index}`);
      database.exec('commit');
      database.close();
    }

    test.each([
      ['from the first byte', (bytes: Buffer) => bytes.fill('this is no database ')],
      ['in the middle', (bytes: Buffer) => bytes.fill(0xab, 4096 * 4, 4096 * 5)],
      ['by truncation', (bytes: Buffer) => bytes.subarray(0, 4096 * 3)],
    ])('a file damaged %s is rejected with one line and left unchanged', async (_, damage) => {
      const dataDir = mkdtempSync(join(directory, 'damaged-'));
      const file = join(dataDir, 'headgate.db');
      createDatabase(file);
      writeFileSync(file, damage(readFileSync(file)));
      const before = hashOf(file);
      const message = await failureOf({ dataDir, databaseUrl: undefined });
      expect(message).toMatch(/^The database file \S+headgate\.db cannot be used \([^\n]+\)\. It was not changed\.$/);
      expect(hashOf(file)).toBe(before);
      expect(readdirSync(dataDir)).toEqual(['headgate.db']);
    });

    test('[A70.7] a database file that is not writable is reported in one sentence', async () => {
      const dataDir = mkdtempSync(join(directory, 'mode-444-'));
      const file = join(dataDir, 'headgate.db');
      createDatabase(file);
      chmodSync(file, 0o444);
      if (process.getuid?.() === 0) for (const path of [directory, dataDir, file]) chownSync(path, noUser, noUser);
      expect(await asNobody(() => failureOf({ dataDir, databaseUrl: undefined }))).toBe(
        `The database file ${file} cannot be used (attempt to write a readonly database). It was not changed.`,
      );
    });

    test.each([
      ['normal', 1],
      ['full', 2],
    ] as const)('SQLITE_SYNCHRONOUS=%s sets when commits are synced', async (sqliteSynchronous, synchronous) => {
      const dataDir = mkdtempSync(join(directory, 'synchronous-'));
      const database = await openDatabase({ dataDir, databaseUrl: undefined, sqliteSynchronous });
      expect((await sql`pragma synchronous`.execute(database)).rows).toEqual([{ synchronous }]);
      await database.destroy();
    });

    test('reports a data directory that cannot be created', async () => {
      const file = join(directory, 'file');
      writeFileSync(file, 'kept');
      expect(await failureOf({ dataDir: file, databaseUrl: undefined })).toBe(
        `DATA_DIR ${file} cannot be written (EEXIST: a file with this name exists).`,
      );
      const deeper = join(file, 'deeper');
      expect(await failureOf({ dataDir: deeper, databaseUrl: undefined })).toBe(
        `DATA_DIR ${deeper} cannot be written (ENOTDIR: a parent folder is a file).`,
      );
      expect(readFileSync(file, 'utf8')).toBe('kept');
    });
  });
