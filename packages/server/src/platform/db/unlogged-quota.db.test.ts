import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LedgerRepository } from '../../records/ledger/ledger-repository.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { sampleHour, sampleLog } from '../../testing/records/sample-logs.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

test('[A9.8] what the log no longer tells when the books are first compared with it is taken as cleaned', async () => {
  await using stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  await migrate(database, '0019-prices');
  for (const [id, used] of [
    [1, 0],
    [2, 70],
    [3, 50],
  ] as const) {
    await sql`insert into users (id, username, display_name, role, status, quota, used_quota, request_count, "group",
      inviter_id, created_time, credited) values (${id}, ${`user${id}`}, '', 1, 1, 0, ${used}, 0, 'default', 0, 0, ${used})`.execute(
      database,
    );
  }
  const day = sampleHour - (sampleHour % 86_400);
  const none = { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, cost: 0 };
  for (const [created_at, type, quota] of [
    [day, 2, 20],
    [day + 86_400, 2, 10],
    [day, 1, 5],
  ] as const) {
    // Later migrations added the node.
    const { node: _, ...log } = sampleLog({ user_id: 2, created_at, type, quota });
    await database
      .insertInto('logs')
      .values(log as typeof log & { node: '' })
      .execute();
    await database
      .insertInto('user_days')
      .values({ day: created_at, type, user_id: 2, rows: 1, quota, ...none })
      .execute();
  }

  await migrate(database);

  const users = await database.selectFrom('users').select(['id', 'unlogged_quota']).orderBy('id').execute();
  expect(users.map(({ unlogged_quota }) => unlogged_quota)).toEqual([0, 40, 50]);
  for (const evidence of ['rows', 'sums'] as const) {
    expect(await new LedgerRepository(database).check(evidence)).toMatchObject({ drift: 0, log_drift: 0 });
  }
});
