import { Account } from '@headgate/relay';
import { expect, inject, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import { nonRequestValues } from '../../records/logs/log-values.ts';
import { chargeWriterOf } from '../../testing/records/charge-store.ts';
import { useTestApp } from '../../testing/test-app.ts';

const statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });

const recordFor = (userId: number, content: string): RequestRecord => ({
  user_id: userId,
  created_at: 1_700_000_000,
  type: 2,
  content,
  username: 'x',
  token_name: '',
  model_name: 'm',
  quota: 10,
  prompt_tokens: 1,
  completion_tokens: 1,
  channel: 0,
  request_id: 'r',
  elapsed_time: 1,
  is_stream: 0,
  system_prompt_reset: 0,
  detail: '{}',
  ended_by: '',
  ...nonRequestValues,
});

function writerOf(now?: () => number) {
  const failures: unknown[] = [];
  return { failures, writer: chargeWriterOf(app.database, (error) => failures.push(error), now) };
}

/** PostgreSQL only: SQLite stores any text. */
if (inject('database') === 'postgres')
  test('stores a charge without its texts if the database rejects the record, and the others unchanged', async () => {
    const { database } = app;
    const { failures, writer } = writerOf();
    const { id } = await app.createUser({ quota: 100 });
    const account = new Account(100);
    const write = (content: string) => {
      account.charge(10);
      const charge = { quota: 10, user: id, token: 0, isTokenLimited: false, channel: 0 };
      return writer.write({ accounts: [account], charge: { ...charge, record: recordFor(id, content) } });
    };
    await Promise.all(['first', 'null\0character', 'third'].map(write));
    expect(failures.length).toBeGreaterThan(0);
    const user = await database
      .selectFrom(currentTable(database, 'users'))
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({ quota: 70, used_quota: 30, request_count: 3 });
    const logs = await database.selectFrom('logs').select(['content', 'quota']).where('user_id', '=', id).execute();
    expect(logs.map(({ content }) => content).sort()).toEqual(['', 'first', 'third']);
    expect(logs.reduce((sum, { quota }) => sum + quota, 0)).toBe(user.used_quota);
    expect([account.balance, account.isIdle, writer.unstored]).toEqual([70, true, 0]);
  });

test('stores a charge with a cost that is not a number', async () => {
  const { database } = app;
  const { failures, writer } = writerOf();
  const { id } = await app.createUser({ quota: 100 });
  const write = (cost: number) => {
    const charge = { quota: 10, user: id, token: 0, isTokenLimited: false, channel: 0 };
    return writer.write({ accounts: [], charge: { ...charge, record: { ...recordFor(id, ''), cost } } });
  };
  await Promise.all([3, Number.NaN, 4].map(write));
  expect(failures.length).toBeGreaterThan(0);
  const user = await database
    .selectFrom(currentTable(database, 'users'))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(user).toMatchObject({ quota: 70, used_quota: 30, request_count: 3 });
  const logs = await database.selectFrom('logs').select('cost').where('user_id', '=', id).execute();
  expect(logs.map((log) => log.cost).sort()).toEqual([0, 3, 4]);
});

/** SQLite only: PostgreSQL has no journal. */
if (inject('database') === 'sqlite')
  test('journals charges that arrive steadily, and writes them to the tables soon after the last one', async () => {
    const { database } = app;
    let now = 0;
    const { writer } = writerOf(() => now);
    const { id } = await app.createUser({ quota: 10_000 });
    const entries = () => database.selectFrom('charge_journal').selectAll().execute();
    const write = async () => {
      now += 1;
      await writer.write({
        accounts: [],
        charge: { quota: 1, user: id, token: 0, isTokenLimited: false, channel: 0, record: undefined },
      });
    };
    const journalled = () => statements.filter((sql) => sql.startsWith('insert into "charge_journal"')).length;
    await write();
    expect(journalled()).toBe(0);
    for (let each = 0; each < 400; each += 1) await write();
    expect(journalled()).toBeGreaterThan(50);
    await expect.poll(() => entries()).toEqual([]);
    const user = await database
      .selectFrom(currentTable(database, 'users'))
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({ used_quota: 401, request_count: 401 });
  });
