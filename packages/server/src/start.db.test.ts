import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { defaultRoot, sessionApi, statusApi } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { openDatabase } from './db/database.ts';
import { pausingProxy } from './testing/pausing-proxy.ts';
import { addressOf, startServer } from './testing/program.ts';
import { createTestDatabase } from './testing/test-database.ts';

const onSqlite = inject('database') === 'sqlite';
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Starts the server with this added to its environment, and tells how it ended. */
async function failedStart(environment: Record<string, string>) {
  await using database = await createTestDatabase();
  await using server = startServer({ ...database.environment, ...environment }, database.location.dataDir);
  return await server.exit;
}

/** A failure of the person at the keyboard: one line that says it all. */
const oneLine = (sentence: RegExp) => ({
  code: 1,
  signal: null,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^headgate: ${sentence.source}\\n$`)),
});

async function takenPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

if (onSqlite)
  describe('a setting that is wrong stops the start with one sentence that names it', () => {
    test.each([
      [{ PORT: 'abc' }, /PORT must be a port number from 0 to 65535\./],
      [{ PORT: '70000' }, /PORT must be a port number from 0 to 65535\./],
      [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent\./],
      [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start with postgres:\/\/.*\./],
      [{ HOST: '203.0.113.1' }, /Cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\); check HOST and PORT\./],
    ])('%j', async (environment, sentence) => {
      expect(await failedStart(environment)).toEqual(oneLine(sentence));
    });

    test('a taken port', async () => {
      const { port, close } = await takenPort();
      const exit = await failedStart({ PORT: String(port) });
      await close();
      expect(exit).toEqual(
        oneLine(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is already in use; set PORT to another\\.`)),
      );
    });
  });

test('a database that cannot be reached stops the start, and its password is not printed', async () => {
  const { port, close } = await takenPort();
  await close();
  const exit = await failedStart({
    DATABASE_URL: `postgres://gateway:s3cret-word@127.0.0.1:${port}/headgate`,
    DATABASE_WAIT_SECONDS: '0',
  });
  const sentence = `DATABASE_URL cannot be reached: 127\\.0\\.0\\.1:${port}/headgate \\(ECONNREFUSED\\)\\.`;
  expect(exit).toEqual(oneLine(new RegExp(sentence)));
});

if (!onSqlite) {
  test('a database that cannot be reached yet is waited for, which a line of the log says', async () => {
    await using database = await createTestDatabase();
    await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
    proxy.cut();
    await using server = startServer({ ...database.environment, DATABASE_URL: proxy.url }, database.location.dataDir);
    const line = JSON.parse(await server.line(/waiting for the database/)) as object;
    expect(line).toMatchObject({ level: 40, seconds: 30, msg: expect.stringMatching(/127\.0\.0\.1:\d+\/headgate_/) });
    await expect.poll(() => proxy.attempts).toBeGreaterThan(2);
    proxy.open();
    expect((await fetch(`${await addressOf(server)}/readyz`)).status).toBe(200);
    expect(server.lines.filter((one) => one.includes('waiting for the database'))).toHaveLength(1);
  });

  test('[A62.2] a signal to end is heard while the database is waited for', async () => {
    await using database = await createTestDatabase();
    await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
    proxy.cut();
    await using server = startServer({ ...database.environment, DATABASE_URL: proxy.url }, database.location.dataDir);
    await server.line(/waiting for the database/);
    server.process.kill('SIGTERM');
    // Not by the signal itself, of which the first process of a container hears nothing.
    expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('a database that stays away is given up in the end', async () => {
    await using database = await createTestDatabase();
    await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
    proxy.cut();
    const exit = await failedStart({ DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '1' });
    expect(exit).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\{.*"msg":"waiting for the database.*\}\n$/),
      stderr: expect.stringMatching(/^headgate: DATABASE_URL cannot be reached: .*\n$/),
    });
    expect(proxy.attempts).toBeGreaterThan(1);
  });

  test('[A62.6] a database that is lost in the middle of a start ends it with one sentence, whichever connection fails', async () => {
    await using database = await createTestDatabase();
    await using first = startServer(database.environment, database.location.dataDir);
    await addressOf(first);
    const failures: string[] = [];
    for (let allowed = 0; ; allowed += 1) {
      await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
      proxy.allow(allowed);
      const environment = { ...database.environment, DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0' };
      await using server = startServer(environment, database.location.dataDir);
      const exit = await Promise.race([addressOf(server).then(() => undefined), server.exit]);
      if (!exit) break;
      expect(exit).toEqual(oneLine(/.*\bcannot be reached\b.*\./));
      failures.push(exit.stderr);
    }
    // As many as a start makes.
    expect(failures.length).toBeGreaterThan(5);
  });

  test('[A62.6] a database that has no connections left is told apart from one that is away', async () => {
    await using database = await createTestDatabase();
    const name = new URL(database.location.databaseUrl ?? '').pathname.slice(1);
    const owner = await openDatabase(database.location);
    await sql`create role ${sql.id(name)} login connection limit 0`.execute(owner);
    const url = new URL(database.location.databaseUrl ?? '');
    url.username = name;
    const exit = await failedStart({ DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: '0' });
    await sql`drop role ${sql.id(name)}`.execute(owner);
    await owner.destroy();
    expect(exit).toEqual(oneLine(/DATABASE_URL cannot be reached: .* \(53300, too many connections\)\./));
  });

  test('what waiting does not mend, such as a database that is not there, stops the start at once', async () => {
    await using database = await createTestDatabase();
    const missing = new URL(database.location.databaseUrl ?? '');
    missing.pathname = '/no_such_database';
    expect(await failedStart({ DATABASE_URL: missing.href, DATABASE_WAIT_SECONDS: '9999' })).toEqual(
      oneLine(/DATABASE_URL cannot be reached: .*\/no_such_database \(3D000\)\./),
    );
  });
}

if (onSqlite)
  test('a damaged database file stops the start and is left as it is', async () => {
    await using database = await createTestDatabase();
    const { dataDir } = database.location;
    const file = join(dataDir, 'headgate.db');
    writeFileSync(file, randomBytes(50_000));
    const before = hashOf(file);
    await using server = startServer(database.environment, dataDir);
    expect(await server.exit).toEqual(
      oneLine(/The database file .*headgate\.db cannot be used \(file is not a database\)\. It was left as it is\./),
    );
    expect(hashOf(file)).toBe(before);
    expect(readdirSync(dataDir)).not.toContain('headgate.db-wal');
  });

describe('a good start', () => {
  test('says one line with the address and how to sign in, then one line per request', async () => {
    await using database = await createTestDatabase();
    await using server = startServer(database.environment, database.location.dataDir);
    const url = await addressOf(server);
    const client = new ApiClient(url);
    await client.call(statusApi.status);
    await server.line(/"path":"\/api\/status"/);
    await client.call(sessionApi.login, { body: defaultRoot });
    await server.line(/"path":"\/api\/user\/login"/);
    const [ready, ...requests] = server.lines;
    expect(ready).toBe(`Headgate 0.1.0 is ready at ${url}. Sign in as root with password 123456 and change it.`);
    expect(requests.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        req: { method: 'GET', path: '/api/status', client: '127.0.0.1' },
        res: { status: 200 },
      }),
      expect.objectContaining({
        req: { method: 'POST', path: '/api/user/login', client: '127.0.0.1' },
        res: { status: 200 },
      }),
    ]);
    server.process.kill('SIGTERM');
    expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
  });

  test('for the second time does not speak of the default password', async () => {
    await using database = await createTestDatabase();
    for (const expected of [/password 123456/, /Sign in with your account\.$/]) {
      await using server = startServer(database.environment, database.location.dataDir);
      expect(await server.line(/ is ready at /)).toMatch(expected);
      server.process.kill('SIGTERM');
      expect((await server.exit).code).toBe(0);
    }
  });

  if (onSqlite)
    test('warns when PASSWORD_HASH_KIB is below the recommended minimum', async () => {
      for (const [kib, expected] of [
        ['8', 1],
        ['19456', 0],
      ] as const) {
        await using database = await createTestDatabase();
        const environment = { ...database.environment, PASSWORD_HASH_KIB: kib };
        await using server = startServer(environment, database.location.dataDir);
        await server.line(/ is ready at /);
        expect(server.lines.filter((line) => line.includes('PASSWORD_HASH_KIB is below'))).toHaveLength(expected);
        const client = new ApiClient(await addressOf(server));
        await client.call(sessionApi.login, { body: defaultRoot });
      }
    });

  if (onSqlite)
    test('[A17.1] takes ROOT_PASSWORD for the first root and does not print it', async () => {
      await using database = await createTestDatabase();
      const environment = { ...database.environment, ROOT_PASSWORD: 'a chosen password', LOG_LEVEL: 'trace' };
      await using server = startServer(environment, database.location.dataDir);
      const client = new ApiClient(await addressOf(server));
      await client.call(sessionApi.login, { body: { username: 'root', password: 'a chosen password' } });
      await expect(client.call(sessionApi.login, { body: defaultRoot })).rejects.toThrow('Wrong username or password');
      server.process.kill('SIGTERM');
      const { stdout, stderr } = await server.exit;
      expect(stdout).toContain('Sign in as root with the password from ROOT_PASSWORD.');
      expect(stdout + stderr).not.toMatch(/a chosen password|123456/);
    });

  if (onSqlite)
    test('does not change the password of a root that is there already', async () => {
      await using database = await createTestDatabase();
      const { dataDir } = database.location;
      await using first = startServer(database.environment, dataDir);
      await addressOf(first);
      first.process.kill('SIGTERM');
      await first.exit;
      await using second = startServer({ ...database.environment, ROOT_PASSWORD: 'a later password' }, dataDir);
      const client = new ApiClient(await addressOf(second));
      await client.call(sessionApi.login, { body: defaultRoot });
    });

  if (onSqlite)
    test('reads .env of the working directory, and the environment wins over it', async () => {
      await using database = await createTestDatabase();
      const { dataDir } = database.location;
      writeFileSync(join(dataDir, '.env'), 'LOG_LEVEL=silent\nPUBLIC_URL=https://from-the-file.example/\nPORT=abc\n');
      await using server = startServer({ ...database.environment, PORT: '0' }, dataDir);
      const client = new ApiClient(await addressOf(server));
      expect(await client.call(statusApi.status)).toMatchObject({ server_address: 'https://from-the-file.example' });
      server.process.kill('SIGTERM');
      const { stdout } = await server.exit;
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    });

  if (onSqlite)
    test('logs no query, no body and no secret', async () => {
      await using database = await createTestDatabase();
      await using server = startServer({ ...database.environment, LOG_LEVEL: 'trace' }, database.location.dataDir);
      const client = new ApiClient(await addressOf(server));
      await client.request('GET', '/api/about?token=secret-token', { headers: { authorization: 'Bearer secret-key' } });
      const body = { username: 'secret-name', password: 'secret-password' };
      await client.send(sessionApi.login, { body, headers: { cookie: 'headgate_session=secret-session' } });
      await server.line(/user\/login/);
      server.process.kill('SIGTERM');
      const { stdout } = await server.exit;
      expect(stdout).toContain('/api/about');
      expect(stdout).not.toContain('secret');
    });
});

if (onSqlite)
  test('without any setting the database lies in ./data', async () => {
    await using database = await createTestDatabase();
    const { dataDir: workingDirectory } = database.location;
    await using server = startServer({}, workingDirectory);
    await addressOf(server);
    server.process.kill('SIGTERM');
    expect((await server.exit).code).toBe(0);
    const files = readdirSync(join(workingDirectory, 'data'));
    expect(files).toContain('headgate.db');
    expect(files).not.toContain('headgate.db-wal');
  });
