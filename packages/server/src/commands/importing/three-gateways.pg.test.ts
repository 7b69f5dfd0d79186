import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { LitellmDatabase, litellmHash } from '../../testing/commands/litellm-database.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const day = 1_760_000_000;
const startTime = '2026-01-02 03:04:05';

/** A gateway whose super admin and user have the same names as in the other gateways. */
function ancestor(kind: 'one-api' | 'new-api', first: number, upstream: string): SourceDatabase {
  const source = new SourceDatabase(kind);
  source.add(
    'users',
    {
      id: 1,
      username: 'root',
      role: 100,
      password: sourcePassword.fastPasswordHash,
      quota: 1_000_000 * first,
      email: 'r@x.test',
    },
    { id: 2, username: 'ada', password: sourcePassword.fastPasswordHash, quota: 2_000_000, used_quota: 40 },
  );
  source.add('tokens', { id: 1, user_id: 1, key: sourceKey(first), name: 'of root' });
  source.add('tokens', { id: 2, user_id: 2, key: sourceKey(first + 1), name: 'of ada' });
  source.add('channels', {
    id: 1,
    type: kind === 'one-api' ? 50 : 60,
    key: `sk-${kind}`,
    name: 'main',
    base_url: upstream,
  });
  source.add('options', { key: 'SystemName', value: kind });
  return source.add('logs', { id: 1, user_id: 2, created_at: day, type: 2, quota: 40, username: 'ada' });
}

async function litellm(): Promise<LitellmDatabase> {
  const source = await LitellmDatabase.create();
  await source.add('TeamTable', { team_id: 't-1', team_alias: 'core', max_budget: 5, budget_duration: '1d' });
  await source.add('UserTable', {
    user_id: 'u-1',
    user_alias: 'ada',
    max_budget: 20,
    spend: 1,
    user_email: 'r@x.test',
  });
  await source.addKey('sk-litellm-personal_key', { user_id: 'u-1', key_alias: 'mine' });
  await source.addKey('sk-litellm-team_key', { team_id: 't-1', key_alias: 'ours' });
  return source.add(
    'SpendLogs',
    { request_id: 'a', user: 'u-1', api_key: litellmHash('sk-litellm-personal_key'), spend: 0.75, startTime },
    { request_id: 'b', team_id: 't-1', api_key: litellmHash('sk-litellm-team_key'), spend: 0.002, startTime },
    { request_id: 'c', user: 'default_user_id', api_key: 'litellm_proxy_master_key', spend: 1, startTime },
  );
}

function configOf({ location }: TestDatabase, upstream: string): string {
  const path = join(location.dataDir, 'litellm.yaml');
  const parameters = `{ model: openai/gpt-4o, api_key: sk-litellm, api_base: ${upstream} }`;
  writeFileSync(path, `model_list:\n  - { model_name: gpt-4o, litellm_params: ${parameters} }\n`);
  return path;
}

/** Totals of logs grow with every import that brings logs. */
const growing = ['usage_days', 'site_hours', 'meta'];

/** Runs an import that must not change any existing row, and returns its reported decisions. */
async function importSafely(
  source: Parameters<typeof importFrom>[0],
  into: TestDatabase,
  given: Parameters<typeof importFrom>[2],
): Promise<readonly string[]> {
  const before = await databaseContents(into);
  const preview = await importFrom(source, into, { ...given, isDryRun: true, logsSince: undefined });
  expect(await databaseContents(into)).toEqual(before);
  const report = await importFrom(source, into, given);
  const after = await databaseContents(into);
  for (const [table, rows] of Object.entries(before)) {
    if (!growing.includes(table)) expect(after[table], table).toEqual(expect.arrayContaining(rows));
  }
  const decisions = report.filter((line) => line.startsWith('  ')).map((line) => line.slice(2));
  // Logs are read after everything else, and not in a dry run.
  expect(preview.filter((line) => line.startsWith('  ')).map((line) => line.slice(2))).toEqual(
    decisions.filter((line) => !/ logs of /.test(line)),
  );
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  return decisions;
}

async function upstreamKeyFor({ url }: Pick<TestApp, 'url'>, key: string, upstream: StubUpstream): Promise<unknown> {
  const before = upstream.received.length;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status, key).toBe(200);
  return upstream.received.length - before;
}

test('imports One API, new-api and LiteLLM with their logs in sequence, overwrites nothing, and all old keys work', async () => {
  const upstream = await StubUpstream.start(completion());
  using first = ancestor('one-api', 1, upstream.url);
  using second = ancestor('new-api', 3, upstream.url);
  await using third = await litellm();
  await using stored = await createMigratedDatabase();
  await importFrom(first, stored, { logsSince: 0 });
  expect(await importSafely(second, stored, { as: 'second', logsSince: 0 })).toEqual([
    'user 1 "root" is renamed to "root_1" because the name is taken',
    'user 1 "root" becomes an admin, because "root" remains the super admin here',
    'user 1 "root" loses the email address, which another user has',
    'user 2 "ada" is renamed to "ada_2" because the name is taken',
    'channel 1 "main" has the same name as a channel that exists here; both are kept',
    'option SystemName skipped: is already set here',
  ]);
  const configFile = configOf(stored, upstream.url);
  expect(await importSafely(third, stored, { configFile, logsSince: 0 })).toEqual([
    'user u-1 "ada" has no usable password hash and cannot log in with a password until one is set',
    'user u-1 "ada" is renamed to "ada_3" because the name is taken',
    'user u-1 "ada" loses the email address, which another user has',
    'skipped: 1 logs of users who are not imported',
  ]);
  const { logs } = await databaseContents(stored);
  expect(logs).toMatchObject([
    { username: 'ada', quota: 40 },
    { username: 'ada', quota: 40 },
    { username: 'ada_3', token_name: 'mine', quota: 375_000 },
    { username: 'org:core', token_name: 'ours', quota: 1000 },
  ]);
  for (const [source, given] of [
    [first, {}],
    [second, { as: 'second' }],
    [third, { configFile }],
  ] as const) {
    const before = await databaseContents(stored);
    await importFrom(source, stored, { ...given, logsSince: 0 });
    expect(await databaseContents(stored)).toEqual(before);
  }
  await using app = await startTestApp({ on: stored });
  for (const number of [1, 2, 3, 4]) expect(await upstreamKeyFor(app, `sk-${sourceKey(number)}`, upstream)).toBe(1);
  for (const key of ['sk-litellm-personal_key', 'sk-litellm-team_key', 'sk-litellm-team_key'])
    expect(await upstreamKeyFor(app, key, upstream)).toBe(1);
  const root = await app.as('root');
  expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0, offenders: [] });
  await app.close();
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  await upstream.close();
});
