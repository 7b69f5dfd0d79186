import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { earlierLogColumns, noLaterValues } from '../../records/logs/log-values.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { sampleHour, sampleLog } from '../../testing/records/sample-logs.ts';
import { latencies, storedSums, sumsOfLogs, writeFormerSums } from '../../testing/records/stored-sums.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const day = 86_400;
const request = { user_id: 7, username: 'ann', token_name: 'key', model_name: 'gpt-4o', channel: 3, elapsed_time: 90 };

const earlierLogs = [
  { ...request, quota: 100, prompt_tokens: 4, completion_tokens: 9 },
  { ...request, quota: 30, channel: 4, created_at: sampleHour + 5 },
  { ...request, quota: 20, model_name: 'o3', created_at: sampleHour + day },
  { ...request, type: 5, channel: 0 },
  { user_id: 8, username: 'bob', type: 1, quota: 500 },
];

async function writeEarlierLogs(database: Database): Promise<void> {
  const columns = sql.join(earlierLogColumns.map((column) => sql.ref(column)));
  for (const log of earlierLogs.map(sampleLog)) {
    await sql`insert into logs (${columns})
      values (${sql.join(earlierLogColumns.map((column) => log[column]))})`.execute(database);
  }
  await writeFormerSums(database);
}

test('logs of before are of no group, and their sums by user, model, channel and failure are made from them', async () => {
  await using stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  await migrate(database, '0014-kept-responses');
  await writeEarlierLogs(database);

  await migrate(database);

  expect(await database.selectFrom('logs').selectAll().executeTakeFirst()).toMatchObject(noLaterValues);
  const sums = await storedSums(database);
  expect(sums).toEqual(await sumsOfLogs(database));
  expect(sums.user_days).toContainEqual(expect.objectContaining({ user_id: 7, type: 2, rows: 2, quota: 130 }));
  expect(sums.failure_hours).toEqual([
    { hour: sampleHour, channel: 0, model_name: 'gpt-4o', reason: '', status: 0, rows: 1 },
  ]);
  expect(sums.channel_hours).toHaveLength(3);
});

test('times of logs of before are not counted, and cleaning these takes nothing off the others', async () => {
  await using stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  await migrate(database, '0014-kept-responses');
  await writeEarlierLogs(database);
  await migrate(database);
  const logs = new LogRepository(database);
  await logs.insert([sampleLog({ ...request, created_at: sampleHour + 2 * day, first_byte_time: 40 })]);

  const { count } = await logs.deleteOldest({ from: 0, before: sampleHour + 2 * day, lastId: 1000 });
  expect(count).toBe(earlierLogs.length);
  expect(await storedSums(database)).toEqual(await sumsOfLogs(database));
  const { stored: times, ofLogs } = await latencies(database);
  expect(times).toEqual(ofLogs);
  expect(times).toHaveLength(2);
});
