import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { isDatabaseUnreachable } from '../errors/database-unreachable.ts';
import { openDatabase, openForMigration } from './database.ts';

const generous = { statementMs: 60_000, lockMs: 60_000, idleMs: 60_000 };

async function limitedDatabase(limits: Partial<typeof generous>) {
  const stack = new AsyncDisposableStack();
  const { location } = stack.use(await createTestDatabase());
  const databaseUrl = location.databaseUrl ?? '';
  const proxy = stack.use(await pausingProxy(databaseUrl));
  const databaseLimits = { ...generous, ...limits };
  const database = await openDatabase({ ...location, databaseUrl: proxy.url, databaseLimits });
  const other = await openDatabase({ ...location, databaseLimits: generous });
  stack.defer(() => database.destroy());
  stack.defer(() => other.destroy());
  await sql`create table points (value bigint not null)`.execute(other);
  await sql`insert into points values (1)`.execute(other);
  return { database, other, proxy, databaseUrl, stack };
}

const failureOf = (response: Promise<unknown>) =>
  response.then(
    () => undefined,
    (error: Error) => error,
  );

test('[A9.9] aborts a statement that takes too long', async () => {
  const { database, stack } = await limitedDatabase({ statementMs: 200 });
  await using _all = stack;
  const failure = await failureOf(sql`select pg_sleep(100)`.execute(database));
  expect(failure).toMatchObject({ code: '57014' });
  expect(isDatabaseUnreachable(failure)).toBe(true);
});

test('[A9.9] limits how long a statement waits for rows locked by others', async () => {
  const { database, other, stack } = await limitedDatabase({ lockMs: 200 });
  await using _all = stack;
  await other.transaction().execute(async (connection) => {
    await sql`update points set value = 2`.execute(connection);
    const failure = await failureOf(sql`update points set value = 3`.execute(database));
    expect(failure).toMatchObject({ code: '55P03' });
    expect(isDatabaseUnreachable(failure)).toBe(true);
  });
});

test('[A9.9] releases the locks of an idle transaction', async () => {
  const { database, other, stack } = await limitedDatabase({ idleMs: 1000 });
  await using _all = stack;
  const failure = await failureOf(
    database.transaction().execute(async (connection) => {
      await sql`update points set value = 2`.execute(connection);
      // Waits for the row until the server has aborted this transaction.
      await sql`update points set value = value + 10`.execute(other);
    }),
  );
  expect(isDatabaseUnreachable(failure)).toBe(true);
  const { rows } = await sql`select value from points`.execute(database);
  expect(rows).toEqual([{ value: 11 }]);
});

test('[A9.9] drops a connection that does not respond and uses another one for the next query', async () => {
  const { database, proxy, stack } = await limitedDatabase({ statementMs: 2000 });
  await using _all = stack;
  await sql`select 1`.execute(database);
  const before = proxy.attempts;
  proxy.freeze();
  const failure = await failureOf(sql`select 1`.execute(database));
  expect(failure?.message).toBe('Query read timeout');
  expect(isDatabaseUnreachable(failure)).toBe(true);
  expect((await sql`select value from points`.execute(database)).rows).toEqual([{ value: 1 }]);
  expect(proxy.attempts).toBe(before + 1);
});

test('schema migrations have no time limits', async () => {
  const { databaseUrl, stack } = await limitedDatabase({});
  await using _all = stack;
  const database = await openForMigration(databaseUrl);
  stack.defer(() => database.destroy());
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    const { rows } = await sql<Record<string, string>>`show ${sql.ref(name)}`.execute(database);
    expect(rows).toEqual([{ [name]: '0' }]);
  }
});
