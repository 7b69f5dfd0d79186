import { logApi, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, queryDatabase } from '../../testing/commands/import-fixture.ts';
import { LitellmDatabase, litellmHash } from '../../testing/commands/litellm-database.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { startTestApp } from '../../testing/test-app.ts';

const since = Date.UTC(2026, 0, 1) / 1000;
const time = (second: number) => new Date((since + second) * 1000).toISOString().replace('T', ' ').replace('Z', '');

const logsOf = (into: Pick<TestDatabase, 'location'>) =>
  queryDatabase(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

/** A user with a key, a team with a key, and more spend than their logs contain. */
async function gateway(): Promise<LitellmDatabase> {
  const source = await LitellmDatabase.create();
  await source.add('TeamTable', { team_id: 't-1', team_alias: 'core' });
  await source.add('UserTable', { user_id: 'u-1', user_alias: 'ada', max_budget: 10, spend: 2 });
  await source.addKey('sk-ada', { user_id: 'u-1', key_alias: 'laptop', spend: 2 });
  await source.addKey('sk-team', { team_id: 't-1', key_alias: 'service', spend: 0.5 });
  return source.addKey('sk-service', { team_id: 't-1', key_alias: 'other', spend: 0.25 });
}

const ada = { api_key: litellmHash('sk-ada'), user: 'u-1' };

async function expectEqualBooks(into: Pick<TestDatabase, 'location'>) {
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  const { stored, counted } = await queryDatabase(into, async (database) => ({
    stored: await currentRollups(database),
    counted: await rollupsOfLogs(database),
  }));
  expect(stored).toEqual(counted);
}

test.each(['sqlite', 'postgres'] as const)('imports spend logs of LiteLLM into %s', async (kind) => {
  await using source = await gateway();
  const usage = { prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 2 } };
  const error = { error_code: '429', error_class: 'RateLimitError', error_message: 'private text' };
  await source.add(
    'SpendLogs',
    { request_id: 'early', ...ada, spend: 1, startTime: time(-1) },
    {
      request_id: 'chatcmpl-1',
      ...ada,
      spend: 0.0012345,
      prompt_tokens: 11,
      completion_tokens: 22,
      startTime: time(5),
      completionStartTime: time(5.25),
      endTime: time(7.5),
      model: 'gpt-4o-2024-11-20',
      model_group: 'gpt-4o',
      metadata: { usage_object: { ...usage, cache_creation_input_tokens: 3 } },
      messages: { content: 'private text' },
      status: 'success',
      // As text, because the driver sends lists as arrays of PostgreSQL.
      request_tags: JSON.stringify(['team:search', 'User-Agent: claude-cli', 'nightly', 7, 'a"b:c']),
      end_user: 'user_1a2b_account__session_5e6f',
    },
    {
      request_id: "o'dd \\ id\n$1",
      api_key: litellmHash('sk-team'),
      team_id: 't-1',
      spend: 0.3,
      startTime: time(6),
      endTime: time(6),
      model: 'o1',
    },
    {
      request_id: 'deleted-key',
      api_key: 'x',
      user: 'u-1',
      startTime: time(7),
      metadata: { user_api_key_alias: 'gone' },
    },
    { request_id: 'failed', ...ada, status: 'failure', startTime: time(8), metadata: { error_information: error } },
    {
      request_id: 'master',
      api_key: 'litellm_proxy_master_key',
      user: 'default_user_id',
      spend: 9,
      startTime: time(9),
    },
  );
  await using stored = await createTestDatabase(kind);
  const report = await importFrom(source, stored, { logsSince: since });
  expect(report.slice(-2)).toEqual([
    'logs: 5 read, 4 imported, 1 skipped',
    '  skipped: 1 logs of users who are not imported',
  ]);
  const logs = await logsOf(stored);
  expect(logs).toMatchObject([
    {
      type: logType.consumption,
      created_at: since + 5,
      username: 'ada',
      token_name: 'laptop',
      model_name: 'gpt-4o',
      quota: 617,
      prompt_tokens: 11,
      completion_tokens: 22,
      cached_tokens: 6,
      cache_write_tokens: 3,
      reasoning_tokens: 2,
      request_id: 'chatcmpl-1',
      elapsed_time: 2500,
      is_stream: 1,
      first_byte_time: 250,
      group: 'default',
      content: '',
      detail: '{"request_tags":{"team":"search","tag":"nightly","end_user":"user_1a2b"}}',
    },
    {
      username: 'org:core',
      token_name: 'service',
      model_name: 'o1',
      quota: 150_000,
      is_stream: 0,
      elapsed_time: 0,
    },
    { username: 'ada', token_name: 'gone', quota: 0, type: logType.consumption },
    { type: logType.failure, status: 429, reason: 'rate_limited', content: 'RateLimitError' },
  ]);
  expect(logs[1]).toMatchObject({ request_id: "o'dd \\ id\n$1", group: 'litellm-core' });
  expect(JSON.stringify(await databaseContents(stored))).not.toContain('private text');
  const { users } = await databaseContents(stored);
  expect(users).toMatchObject([
    { username: 'root' },
    { username: 'ada', quota: 4_000_000, used_quota: 1_000_000, unlogged_quota: 999_383 },
    { username: 'org:core', used_quota: 375_000, unlogged_quota: 225_000 },
  ]);
  await expectEqualBooks(stored);
  await using app = await startTestApp({ on: stored });
  const root = await app.as('root');
  const listed = await root.call(logApi.list, { query: { p: 0, username: 'ada' } });
  expect(listed.map(({ model_name, quota }) => [model_name, quota])).toContainEqual(['gpt-4o', 617]);
});

test('imports each spend log once, regardless of page boundaries, and changes no balance', async () => {
  await using source = await gateway();
  // Pages of 5,000 end between logs with the same timestamp.
  await source.run(`insert into "LiteLLM_SpendLogs" (request_id, api_key, "user", spend, "startTime")
    select 'r-' || n, '${ada.api_key}', 'u-1', 0.000002, timestamp '2026-01-01' + (n / 4000) * interval '1 second'
    from generate_series(1, 12001) as n`);
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  const balances = async () => {
    const { users, tokens, budgets } = await databaseContents(stored);
    return JSON.stringify([users?.map((row) => ({ ...(row as object), unlogged_quota: 0 })), tokens, budgets]);
  };
  const before = await balances();
  // Later than the import of the users.
  await source.add('SpendLogs', { request_id: 'later', ...ada, spend: 5, startTime: time(900_000) });
  const report = await importFrom(source, stored, { logsSince: since });
  expect(report.at(-1)).toBe('logs: 12001 read, 12001 imported, 0 skipped');
  expect(await balances()).toBe(before);
  const logs = await logsOf(stored);
  expect(new Set(logs.map(({ request_id }) => request_id)).size).toBe(12_001);
  expect(logs.reduce((sum, { quota }) => sum + quota, 0)).toBe(12_001);
  expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toMatch(/^logs: 0 read, 0 imported/);
  expect(await logsOf(stored)).toHaveLength(12_001);
  await expectEqualBooks(stored);
});

test('imports logs for users that an earlier version imported without them', async () => {
  await using source = await gateway();
  await source.add('SpendLogs', { request_id: 'r', ...ada, spend: 1, startTime: time(1) });
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  const earlier = JSON.stringify({ last: 0, done: 0, since: null });
  await queryDatabase(stored, (database) =>
    database.updateTable('meta').set({ value: earlier }).where('key', '=', 'import_logs:litellm').execute(),
  );
  expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toBe('logs: 1 read, 1 imported, 0 skipped');
});

test('[A60.11] reads hostile spend logs with exact sums, and reads none twice', async () => {
  await using source = await gateway();
  await source.run(`alter table "LiteLLM_SpendLogs" drop constraint "LiteLLM_SpendLogs_pkey",
    alter request_id drop not null, alter "startTime" drop not null, alter prompt_tokens type text,
    alter request_duration_ms type text, alter metadata type text, alter model type text`);
  const row = (request_id: string, given: object) => ({ request_id, ...ada, startTime: time(1), ...given });
  await source.add(
    'SpendLogs',
    row('a', { spend: Number.NaN, prompt_tokens: 'many', request_duration_ms: '1e400' }),
    row('b', { spend: 1e300, prompt_tokens: '9999999999999999999999', metadata: '{"usage_object": [1' }),
    row('c', { spend: -5, metadata: '[[]]', model: 'x'.repeat(2000) }),
    row('d', { spend: Number.POSITIVE_INFINITY, metadata: `{"status":"failure","error_information":"x"}` }),
    row('e', { startTime: 'infinity', status: 'failure', metadata: '{"error_information":{"error_code":"999"}}' }),
    row('f', { startTime: '-infinity' }),
    row('g', { startTime: '0044-03-15 00:00:00 BC' }),
    row('h', { user: '__proto__', api_key: 'constructor' }),
    row('same', {}),
    row('same', {}),
    { ...ada, startTime: time(1) },
    { request_id: 'no time', ...ada },
  );
  await using stored = await createMigratedDatabase();
  const report = await importFrom(source, stored, { logsSince: 0 });
  expect(report.slice(-2)).toEqual([
    'logs: 8 read, 7 imported, 1 skipped',
    '  skipped: 1 logs of users who are not imported',
  ]);
  const logs = await logsOf(stored);
  expect(logs.map(({ quota }) => quota)).toEqual([0, 1_000_000_000_000, 0, 0, 0, 0, 0]);
  expect(logs[0]).toMatchObject({ prompt_tokens: 0, elapsed_time: expect.any(Number) });
  expect(logs[2]?.model_name).toHaveLength(300);
  expect(logs.at(-1)).toMatchObject({ type: logType.failure, status: 0, reason: 'other' });
  await expectEqualBooks(stored);
});

test('[A60.11] a log table with a different structure ends the log import with a one-sentence error', async () => {
  await using source = await gateway();
  await source.run('alter table "LiteLLM_SpendLogs" alter "startTime" type text');
  await source.add('SpendLogs', { request_id: 'r', ...ada, startTime: 'today' });
  await using stored = await createMigratedDatabase();
  await expect(importFrom(source, stored, { logsSince: since })).rejects.toThrow(
    'has no table of spend logs that can be read.',
  );
  expect(await logsOf(stored)).toEqual([]);
});

test("[A60.12] reads times in the same format, regardless of the server's settings", async () => {
  await using source = await gateway();
  await source.addKey('sk-brief', { user_id: 'u-1', expires: '2026-02-01 03:04:05' });
  await source.addKey('sk-odd', { user_id: 'u-1', expires: '0044-03-15 00:00:00 BC' });
  await source.addKey('sk-long', { user_id: 'u-1', expires: 'infinity' });
  await source.add('SpendLogs', { request_id: 'r', ...ada, startTime: time(1) });
  await source.run(
    `do $$ begin execute format('alter database %I set datestyle to ''German, DMY''', current_database()); end $$`,
  );
  await using stored = await createMigratedDatabase();
  const report = await importFrom(source, stored, { logsSince: since });
  expect(report.join('\n')).toContain('is disabled because its expiry cannot be read');
  const { tokens = [], logs } = await databaseContents(stored);
  const tokenOf = (key: string) => tokens.find((row) => (row as { key_hash: string }).key_hash === litellmHash(key));
  expect(tokenOf('sk-brief')).toMatchObject({ expired_time: Date.UTC(2026, 1, 1, 3, 4, 5) / 1000 });
  expect(tokenOf('sk-odd')).toMatchObject({ status: 2 });
  expect(tokenOf('sk-long')).toMatchObject({ status: 1, expired_time: -1 });
  expect(logs).toMatchObject([{ created_at: since + 1 }]);
});
