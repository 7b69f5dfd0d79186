import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultRoot, sessionApi, statusApi } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { programVersion } from '../config.ts';
import { createMigratedDatabase, createTestDatabase } from '../testing/database/test-database.ts';
import { oneLineError, runFailedStart } from '../testing/process/failed-start.ts';
import { freePort } from '../testing/process/ports.ts';
import { addressOf, startServer } from '../testing/process/program.ts';

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('invalid settings', () => {
  test.each([
    [{ PORT: 'abc' }, /PORT must be a port number from 0 to 65535\./],
    [{ PORT: '70000' }, /PORT must be a port number from 0 to 65535\./],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent\./],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start with postgres:\/\/.*\./],
    [{ HOST: '203.0.113.1' }, /Cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\); check HOST and PORT\./],
  ])('fails the start with one sentence that names the setting: %j', async (environment, sentence) => {
    expect(await runFailedStart(environment)).toEqual(oneLineError(sentence));
  });
});

test('an unreachable database fails the start without printing its password', async () => {
  const port = await freePort();
  const exit = await runFailedStart({
    DATABASE_URL: `postgres://gateway:s3cret-word@127.0.0.1:${port}/headgate`,
    DATABASE_WAIT_SECONDS: '0',
  });
  const sentence = `DATABASE_URL cannot be reached: 127\\.0\\.0\\.1:${port}/headgate \\(ECONNREFUSED\\)\\.`;
  expect(exit).toEqual(oneLineError(new RegExp(sentence)));
});

test('a damaged database file fails the start and is not changed', async () => {
  await using database = await createTestDatabase();
  const { dataDir } = database.location;
  const file = join(dataDir, 'headgate.db');
  writeFileSync(file, randomBytes(50_000));
  const before = hashOf(file);
  await using server = startServer(database.environment, dataDir);
  expect(await server.exit).toEqual(
    oneLineError(/The database file .*headgate\.db cannot be used \(file is not a database\)\. It was not changed\./),
  );
  expect(hashOf(file)).toBe(before);
  expect(readdirSync(dataDir)).not.toContain('headgate.db-wal');
});

test('a first start prints the address and how to sign in, logs one line per request and stores the database in ./data', async () => {
  await using database = await createTestDatabase();
  const { dataDir: workingDirectory } = database.location;
  await using server = startServer({}, workingDirectory);
  const url = await addressOf(server);
  const client = new ApiClient(url);
  await client.call(statusApi.status);
  await server.line(/"path":"\/api\/status"/);
  await client.call(sessionApi.login, { body: defaultRoot });
  await server.line(/"path":"\/api\/user\/login"/);
  const [ready, ...requests] = server.lines;
  expect(ready).toBe(
    `Headgate ${programVersion()} is ready at ${url}. Log in as root with password 123456 and change it.`,
  );
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
  const files = readdirSync(join(workingDirectory, 'data'));
  expect(files).toContain('headgate.db');
  expect(files).not.toContain('headgate.db-wal');
});

test('a second start reads .env, prefers environment variables, and keeps the root password', async () => {
  await using database = await createMigratedDatabase();
  const { dataDir } = database.location;
  writeFileSync(join(dataDir, '.env'), 'LOG_LEVEL=silent\nPUBLIC_URL=https://from-the-file.example/\nPORT=abc\n');
  const environment = { ...database.environment, PORT: '0', ROOT_PASSWORD: 'a later password' };
  await using server = startServer(environment, dataDir);
  const client = new ApiClient(await addressOf(server));
  expect(await client.call(statusApi.status)).toMatchObject({ server_address: 'https://from-the-file.example' });
  await client.call(sessionApi.login, { body: defaultRoot });
  server.process.kill('SIGTERM');
  const { stdout } = await server.exit;
  expect(stdout).toMatch(/^[^\n]+ Log in with your account\.\n$/);
});

test('warns if PASSWORD_HASH_KIB is below the recommended minimum', async () => {
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

test('[A17.1] sets ROOT_PASSWORD for the first root and logs no password, query, body or other secret', async () => {
  await using database = await createTestDatabase();
  const environment = { ...database.environment, ROOT_PASSWORD: 'a chosen password', LOG_LEVEL: 'trace' };
  await using server = startServer(environment, database.location.dataDir);
  const client = new ApiClient(await addressOf(server));
  await client.request('GET', '/api/about?token=secret-token', { headers: { authorization: 'Bearer secret-key' } });
  await client.call(sessionApi.login, { body: { username: 'root', password: 'a chosen password' } });
  await expect(client.call(sessionApi.login, { body: defaultRoot })).rejects.toThrow('Wrong username or password');
  const body = { username: 'secret-name', password: 'secret-password' };
  await client.send(sessionApi.login, { body, headers: { cookie: 'headgate_session=secret-session' } });
  server.process.kill('SIGTERM');
  const { stdout, stderr } = await server.exit;
  expect(stdout).toContain('Log in as root with the password from ROOT_PASSWORD.');
  expect(stdout).toMatch(/\/api\/about[\s\S]*\/user\/login/);
  expect(stdout + stderr).not.toMatch(/a chosen password|123456|secret/);
});
