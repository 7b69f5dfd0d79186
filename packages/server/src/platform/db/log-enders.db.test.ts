import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { earlierLogColumns } from '../../records/logs/log-values.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { sampleHour, sampleLog } from '../../testing/records/sample-logs.ts';
import { storedSums, sumsOfLogs, writeFormerSums } from '../../testing/records/stored-sums.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const hour = 3600;
const request = { user_id: 7, username: 'ann', token_name: 'key', model_name: 'gpt-4o', channel: 3 };
const cost = { prompt_tokens: 4, completion_tokens: 9 };

const oldLogs = [
  { ...request, ...cost, type: 2, quota: 100 },
  { ...request, ...cost, type: 5, quota: 20, content: 'The client left' },
  { ...request, ...cost, type: 5, quota: 30, content: 'The quota is used up; the stream ends here' },
  { ...request, type: 5, quota: 0, content: 'No channel is left to try' },
  // Alone in its hour, so that its sums as a failure end.
  { ...request, ...cost, type: 5, quota: 40, content: 'The upstream broke', created_at: sampleHour + 2 * hour + 5 },
  { ...request, type: 5, quota: 50, user_id: 8, username: 'bob', model_name: '', channel: 0, content: '' },
  { user_id: 7, username: 'ann', type: 1, quota: 500 },
];

/** As the version before wrote them. */
async function writeOldLogs(database: Database): Promise<void> {
  const columns = earlierLogColumns.filter((column) => column !== 'ended_by');
  for (const log of oldLogs.map(sampleLog)) {
    await sql`insert into logs (${sql.join(columns.map((column) => sql.ref(column)))})
      values (${sql.join(columns.map((column) => log[column]))})`.execute(database);
  }
  await writeFormerSums(database);
}

test('what cost points and was called a failure becomes consumption that says who ended it, in the sums too', async () => {
  await using stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  await migrate(database, '0008-name-keys');
  await writeOldLogs(database);

  await migrate(database);

  const logs = await database.selectFrom('logs').select(['type', 'quota', 'ended_by']).orderBy('id').execute();
  expect(logs).toEqual([
    { type: 2, quota: 100, ended_by: '' },
    { type: 2, quota: 20, ended_by: 'client' },
    { type: 2, quota: 30, ended_by: 'quota' },
    { type: 5, quota: 0, ended_by: '' },
    { type: 2, quota: 40, ended_by: 'upstream' },
    { type: 2, quota: 50, ended_by: 'upstream' },
    { type: 1, quota: 500, ended_by: '' },
  ]);
  const sums = await storedSums(database);
  expect(sums).toEqual(await sumsOfLogs(database));
  expect(sums.log_hours).toContainEqual(expect.objectContaining({ type: 2, hour: sampleHour, rows: 4, quota: 200 }));
});
