import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { pausingProxy } from '../testing/database/pausing-proxy.ts';
import { createMigratedDatabase, createTestDatabase } from '../testing/database/test-database.ts';
import { oneLineError, runFailedStart } from '../testing/process/failed-start.ts';
import { freePort } from '../testing/process/ports.ts';
import { addressOf, startServer } from '../testing/process/program.ts';

test.each(['1', '2'])(
  'waits for an unreachable database, logs it, and returns 503 meanwhile, with WORKERS=%s',
  async (workers) => {
    await using database = await createTestDatabase();
    await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
    proxy.cut();
    const port = await freePort();
    const environment = { ...database.environment, DATABASE_URL: proxy.url, PORT: String(port), WORKERS: workers };
    await using server = startServer(environment, database.location.dataDir);
    const line = JSON.parse(await server.line(/waiting for the database/)) as object;
    expect(line).toMatchObject({ level: 40, seconds: 30, msg: expect.stringMatching(/127\.0\.0\.1:\d+\/headgate_/) });
    for (const path of ['/readyz', '/v1/models', '/']) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`);
      expect(reply.status, path).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(await reply.json()).toMatchObject({ error: { message: 'The gateway is starting', code: 'starting' } });
    }
    await expect.poll(() => proxy.attempts).toBeGreaterThan(2);
    proxy.open();
    expect(await addressOf(server)).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    if (workers === '1') expect(server.lines.filter((one) => one.includes('waiting for the database'))).toHaveLength(1);
  },
);

test('[A62.2] SIGTERM ends the process while it waits for the database', async () => {
  await using database = await createTestDatabase();
  await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
  proxy.cut();
  await using server = startServer({ ...database.environment, DATABASE_URL: proxy.url }, database.location.dataDir);
  await server.line(/waiting for the database/);
  server.process.kill('SIGTERM');
  // The process exits by itself instead of being killed by the signal, which PID 1 of a container would ignore.
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('gives up waiting for the database after DATABASE_WAIT_SECONDS', async () => {
  await using database = await createTestDatabase();
  await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
  proxy.cut();
  const exit = await runFailedStart({ DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '1' });
  expect(exit).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\{.*"msg":"waiting for the database.*\}\n$/),
    stderr: expect.stringMatching(/^headgate: DATABASE_URL cannot be reached: .*\n$/),
  });
  expect(proxy.attempts).toBeGreaterThan(1);
});

test('[A62.6] a database connection lost during startup fails the start with one sentence', async () => {
  await using database = await createMigratedDatabase();
  await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
  proxy.allow(4);
  const environment = { ...database.environment, DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0' };
  await using server = startServer(environment, database.location.dataDir);
  expect(await server.exit).toEqual(oneLineError(/.*\bcannot be reached\b.*\./));
});

test('[A62.6] distinguishes a database without free connections from an unreachable one', async () => {
  await using database = await createTestDatabase();
  const name = new URL(database.location.databaseUrl ?? '').pathname.slice(1);
  const owner = await openDatabase(database.location);
  await sql`create role ${sql.id(name)} login connection limit 0`.execute(owner);
  const url = new URL(database.location.databaseUrl ?? '');
  url.username = name;
  const exit = await runFailedStart({ DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: '0' });
  await sql`drop role ${sql.id(name)}`.execute(owner);
  await owner.destroy();
  expect(exit).toEqual(oneLineError(/DATABASE_URL cannot be reached: .* \(53300, too many connections\)\./));
});

test('fails the start without waiting when the database does not exist', async () => {
  await using database = await createTestDatabase();
  const missing = new URL(database.location.databaseUrl ?? '');
  missing.pathname = '/no_such_database';
  expect(await runFailedStart({ DATABASE_URL: missing.href, DATABASE_WAIT_SECONDS: '9999' })).toEqual(
    oneLineError(/DATABASE_URL cannot be reached: .*\/no_such_database \(3D000\)\./),
  );
});
