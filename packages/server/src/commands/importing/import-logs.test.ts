import { logType } from '@headgate/contract';
import type { OneApiSourceKind } from '@headgate/importer';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, queryDatabase, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';

const since = 1_760_000_000;
const logsOf = (into: Pick<TestDatabase, 'location'>) =>
  queryDatabase(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

/** A gateway with root, a user with more usage than their logs contain, a skipped user, and a channel. */
function gateway(kind: OneApiSourceKind): SourceDatabase {
  const source = new SourceDatabase(kind);
  source.add(
    'users',
    { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash, used_quota: 40 },
    { id: 4, username: 'alice', quota: 10, used_quota: 1000 },
    { id: 5, username: 'gone', status: 3, used_quota: 5 },
  );
  return source.add('channels', { id: 8, key: 'k', name: 'one' });
}

async function expectEqualBooks(into: Pick<TestDatabase, 'location'>) {
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0 });
  const { stored, counted } = await queryDatabase(into, async (database) => ({
    stored: await currentRollups(database),
    counted: await rollupsOfLogs(database),
  }));
  expect(stored).toEqual(counted);
}

describe('log import', () => {
  test('imports logs of One API from a given day on, and counts them as logged usage', async () => {
    using source = gateway('one-api');
    source.add(
      'logs',
      { id: 1, user_id: 4, created_at: since - 1, type: 2, quota: 100 },
      {
        id: 2,
        user_id: 4,
        created_at: since,
        type: 2,
        username: 'alice',
        token_name: 't',
        model_name: 'gpt-4o',
        quota: 300,
        prompt_tokens: 5,
        completion_tokens: 7,
        channel_id: 8,
        elapsed_time: 1234,
        is_stream: 1,
        request_id: 'r',
        content: '倍率：0.07 × 1.00 × 4.00',
      },
      { id: 3, user_id: 4, created_at: since + 9, type: 1, quota: 500, content: 'top-up' },
      { id: 4, user_id: 5, created_at: since + 9, type: 2, quota: 5 },
      { id: 5, user_id: 0, created_at: since + 9, type: 5, content: 'a test' },
      { id: 6, user_id: 1, created_at: since + 9, type: 2, quota: 40, channel_id: 99, prompt_tokens: null },
    );
    await using stored = await createMigratedDatabase();
    expect((await importFrom(source, stored, { logsSince: since })).slice(-3)).toEqual([
      'logs: 5 read, 3 imported, 2 skipped',
      '  skipped: 1 logs of users who are not imported',
      '  skipped: 1 logs of channel tests',
    ]);
    const [first, topUp, last] = await logsOf(stored);
    expect(first).toMatchObject({
      type: logType.consumption,
      username: 'alice',
      quota: 300,
      prompt_tokens: 5,
      completion_tokens: 7,
      elapsed_time: 1234,
      is_stream: 1,
      request_id: 'r',
      created_at: since,
    });
    expect(topUp).toMatchObject({ type: logType.topUp, quota: 500 });
    expect(last).toMatchObject({ quota: 40, channel: 0, prompt_tokens: 0 });
    const { users, channels } = await databaseContents(stored);
    expect(channels).toMatchObject([{ id: first?.channel }]);
    expect(users).toMatchObject([
      { used_quota: 40, unlogged_quota: 0 },
      { used_quota: 1000, unlogged_quota: 700 },
    ]);
    await expectEqualBooks(stored);
  });

  test('imports logs of new-api with times, groups and cached tokens', async () => {
    using source = gateway('new-api');
    const other = JSON.stringify({ group_ratio: 0.8, cache_tokens: 3, frt: 110 });
    source.add(
      'logs',
      { id: 1, user_id: 4, created_at: since, type: 2, quota: 8, use_time: 2, is_stream: 1, group: 'vip', other },
      { id: 2, user_id: 4, created_at: since, type: 5, quota: 0, content: 'failed', other: '{"broken' },
      { id: 3, user_id: 4, created_at: since, type: 6, quota: 9, content: 'refund' },
      { id: 4, user_id: 4, created_at: since, type: 7, content: 'Signed in', ip: '203.0.113.9' },
      { id: 5, user_id: 4, created_at: since, type: 8, content: 'unknown type' },
      { id: 6, user_id: 5, created_at: since, type: 7, content: 'of a deleted user' },
    );
    await using stored = await createMigratedDatabase();
    expect((await importFrom(source, stored, { logsSince: since })).slice(-3)).toEqual([
      'logs: 6 read, 4 imported, 2 skipped',
      '  skipped: 1 logs of an unsupported type',
      '  skipped: 1 logs of users who are not imported',
    ]);
    expect(await logsOf(stored)).toMatchObject([
      { type: logType.consumption, quota: 8, elapsed_time: 2000, first_byte_time: 110, cached_tokens: 3, group: 'vip' },
      { type: logType.failure, quota: 0, reason: 'other' },
      { type: logType.system, quota: 0, content: 'refund' },
      { type: logType.system, quota: 0, content: 'Signed in' },
    ]);
    await expectEqualBooks(stored);
  });

  test('imports each log once, even if logs are requested later, and no log newer than the users', async () => {
    using source = gateway('one-api');
    source.add('logs', { id: 1, user_id: 4, created_at: since, type: 2, quota: 300 });
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored);
    source.add('logs', { id: 2, user_id: 4, created_at: since, type: 2, quota: 200 });
    await importFrom(source, stored, { logsSince: since });
    expect(await logsOf(stored)).toMatchObject([{ quota: 300 }]);
    const before = await databaseContents(stored);
    expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toMatch(/^logs: 0 read, 0 imported/);
    expect(await databaseContents(stored)).toEqual(before);
    await expect(importFrom(source, stored, { logsSince: since - 100_000 })).rejects.toThrow(
      'The logs since 2025-10-09 are already imported, and earlier ones can no longer be added.',
    );
    await expectEqualBooks(stored);
  });
});
