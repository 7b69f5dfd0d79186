import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgetApi, ledgerApi, limitRuleApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { archiveFolder, exportArchive, restoreArchive } from '../../testing/commands/archive-fixture.ts';
import { databaseContents, importFrom } from '../../testing/commands/import-fixture.ts';
import { LitellmDatabase, litellmHash } from '../../testing/commands/litellm-database.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { runFile } from '../../testing/process/program.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const keys = {
  ada: 'sk-7Qx_9mT-4bK2vRzL0aWcYg',
  team: 'sk-team-search-production',
  service: 'sk-Zz0Zz0Zz0Zz0Zz0Zz0Zz0w',
  blocked: 'sk-blocked-key',
  limited: 'sk-limited-key',
  gone: 'sk-gone-key',
} as const;

async function gateway(): Promise<LitellmDatabase> {
  const source = await LitellmDatabase.create();
  await source.add(
    'TeamTable',
    {
      team_id: 't-1',
      team_alias: 'search',
      max_budget: 100,
      spend: 25,
      budget_duration: '30d',
      models: ['gpt-4o', 'o1'],
      tpm_limit: 9000,
    },
    { team_id: 't-2', team_alias: 'closed', blocked: true },
  );
  await source.add(
    'UserTable',
    { user_id: 'u-ada', user_alias: 'ada', user_email: 'Ada@Example.com', max_budget: 10, spend: 2.5, teams: ['t-1'] },
    { user_id: 'u-admin', user_email: 'boss@example.com', user_role: 'proxy_admin', rpm_limit: 60 },
    { user_id: 'u-month', user_alias: 'mona', max_budget: 3, budget_duration: '1mo', spend: 1 },
  );
  await source.add('BudgetTable', { budget_id: 'b-1', max_budget: 4, budget_duration: '24h', rpm_limit: 7 });
  await source.add('TeamMembership', { user_id: 'u-ada', team_id: 't-1', budget_id: 'b-1' });
  await source.addKey(keys.ada, { key_alias: 'laptop', user_id: 'u-ada', spend: 1.5, models: ['gpt-4o'] });
  await source.addKey(keys.team, { key_alias: 'search', user_id: 'u-ada', team_id: 't-1', spend: 0.1 });
  await source.addKey(keys.service, { team_id: 't-1', models: ['all-team-models'], max_budget: 2, spend: 0.5 });
  await source.addKey(keys.blocked, { user_id: 'u-ada', blocked: true });
  await source.addKey(keys.limited, {
    user_id: 'u-month',
    budget_id: 'b-1',
    max_parallel_requests: 3,
    expires: '2027-01-02 03:04:05',
    aliases: { fast: 'gpt-4o' },
  });
  await source.addKey(keys.gone, { team_id: 't-2' });
  await source.addKey('sk-dashboard', { team_id: 'litellm-dashboard', user_id: 'u-admin' });
  return source;
}

const configOf = (stored: TestDatabase, url: string) => {
  const path = join(stored.location.dataDir, 'config.yaml');
  writeFileSync(
    path,
    `model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o-2024-11-20, api_base: ${url}/v1, api_key: os.environ/UPSTREAM_KEY }
  - model_name: o1
    litellm_params: { model: openai/o1, api_base: ${url}/v1, api_key: os.environ/UPSTREAM_KEY }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/MISSING_KEY }
    model_info: { access_groups: [writers] }
  - model_name: europe
    litellm_params: { model: azure/deployment-1, api_base: 'https://eu.example.com', api_key: plain, api_version: '2024-10-21', rpm: 480, order: 2, weight: 3 }
  - model_name: odd
    litellm_params: { model: unknown_provider/x, api_key: k }
  - model_name: 'openai/*'
    litellm_params: { model: 'openai/*', api_key: k }
litellm_settings: { drop_params: true }
`,
  );
  return path;
};

const environment = (name: string) => (name === 'UPSTREAM_KEY' ? 'sk-up' : undefined);

const decisions = (report: readonly string[]) =>
  report.filter((line) => line.startsWith('  ')).map((line) => line.slice(2));
const label = (key: string) => litellmHash(key).slice(0, 8);

async function statusOf({ url }: Pick<TestApp, 'url'>, key: string, model = 'gpt-4o'): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return response.status;
}

describe('importing from LiteLLM', () => {
  test('imports users, teams, keys, budgets, limits and models, and reports every decision', async () => {
    await using source = await gateway();
    await using stored = await createMigratedDatabase();
    const configFile = configOf(stored, 'https://upstream.example.com');
    const report = await importFrom(source, stored, { configFile, environment });
    expect(report.filter((line) => / read, /.test(line))).toEqual([
      'users: 3 read, 3 to import, 0 already imported, 0 skipped',
      'organizations: 2 read, 2 to import, 0 already imported, 0 skipped',
      'members: 3 read, 3 to import, 0 already imported, 0 skipped',
      'projects: 2 read, 2 to import, 0 already imported, 0 skipped',
      'service accounts: 2 read, 2 to import, 0 already imported, 0 skipped',
      'tokens: 6 read, 6 to import, 0 already imported, 0 skipped',
      'channels: 5 read, 3 to import, 0 already imported, 2 skipped',
      'redemption codes: 0 read, 0 to import, 0 already imported, 0 skipped',
      'options: 1 read, 1 to import, 0 already imported, 0 skipped',
      'budgets: 4 read, 4 to import, 0 already imported, 0 skipped',
      'limits: 5 read, 5 to import, 0 already imported, 0 skipped',
    ]);
    expect(report).toContain('super admin: "root" of this gateway is kept');
    const noPassword = 'has no usable password hash and cannot log in with a password until one is set';
    expect(decisions(report)).toEqual([
      `user u-ada "ada" ${noPassword}`,
      'user u-admin "boss@example.com" is renamed to "boss" because the username is not valid here',
      `user u-admin "boss@example.com" ${noPassword}`,
      `user u-month "mona" ${noPassword}`,
      `token ${label(keys.blocked)} "sk-...-key" is disabled because it is blocked in LiteLLM`,
      `token ${label(keys.limited)} "sk-...-key" loses its model aliases, which are not supported here`,
      `token ${label(keys.gone)} "sk-...-key" is disabled because its team "closed" is blocked in LiteLLM`,
      expect.stringMatching(/^channel \w+ "anthropic claude" is disabled until its key is set: MISSING_KEY is not in/),
      expect.stringMatching(/^channel \w+ "unknown_provider odd" skipped: has provider unknown_provider, which/),
      expect.stringMatching(/^channel \w+ "openai openai\/\*" skipped: has a wildcard: create a channel/),
      'budget of team "search" starts a new month here; 25 dollars are spent in LiteLLM',
      'budget of user "mona" starts a new month here; 1 dollars are spent in LiteLLM',
    ]);
    const { users = [], tokens = [], channels = [], options = [] } = await databaseContents(stored);
    const million = 500_000_000_000;
    expect(users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          username: 'ada',
          email: 'ada@example.com',
          role: 1,
          quota: 3_750_000,
          used_quota: 1_200_000,
          group: 'default,litellm-search',
        }),
        expect.objectContaining({ username: 'boss', role: 10, quota: million }),
        expect.objectContaining({ username: 'mona', quota: million, used_quota: 500_000 }),
        expect.objectContaining({
          username: 'org:search',
          kind: 'organization',
          quota: million,
          used_quota: 300_000,
          group: 'default,litellm-search',
        }),
        expect.objectContaining({ username: 'org:closed' }),
      ]),
    );
    const byHash = new Map(tokens.map((token) => [(token as { key_hash: string }).key_hash, token]));
    expect(byHash.get(litellmHash(keys.ada))).toMatchObject({
      name: 'laptop',
      key_sealed: '',
      status: 1,
      models: 'gpt-4o',
      unlimited_quota: 1,
      used_quota: 750_000,
      groups: 'default',
      expired_time: -1,
    });
    expect(byHash.get(litellmHash(keys.team))).toMatchObject({ models: 'gpt-4o,o1', groups: 'litellm-search' });
    expect(byHash.get(litellmHash(keys.service))).toMatchObject({
      models: 'gpt-4o,o1',
      unlimited_quota: 0,
      remain_quota: 750_000,
      used_quota: 250_000,
    });
    expect(byHash.get(litellmHash(keys.blocked))).toMatchObject({ status: 2 });
    expect(byHash.get(litellmHash(keys.gone))).toMatchObject({ status: 2 });
    expect(byHash.get(litellmHash(keys.limited))).toMatchObject({ expired_time: 1_798_859_045, unlimited_quota: 1 });
    expect(channels).toMatchObject([
      {
        type: 1,
        name: 'openai gpt-4o',
        models: 'gpt-4o,o1',
        base_url: 'https://upstream.example.com',
        status: 1,
        model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}',
        group: 'default,litellm-search,litellm-closed',
      },
      { type: 14, status: 2, models: 'claude' },
      {
        type: 3,
        other: '2024-10-21',
        priority: -2,
        weight: 3,
        models: 'europe',
        model_mapping: '{"europe":"deployment-1"}',
      },
    ]);
    expect(options).toContainEqual({ key: 'GroupRatio', value: expect.stringContaining('"litellm-search": 1') });
    expect(await checkStoredLedger(stored.location)).toMatchObject({
      users: 6,
      drift: 0,
      log_drift: 0,
      budget_drift: 0,
    });
    await using app = await startTestApp({ on: stored });
    const root = await app.as('root');
    expect(await root.call(budgetApi.list, { query: { sort: 'id', direction: 'asc' } })).toMatchObject([
      { kind: 'user', owner: 'org:search', amount: 50_000_000, period: 'month' },
      { kind: 'member', owner: 'ada', amount: 2_000_000, period: 'day' },
      { kind: 'user', owner: 'mona', amount: 1_500_000, period: 'month' },
      { kind: 'token', amount: 2_000_000, period: 'day', username: 'mona' },
    ]);
    const limits = await root.call(limitRuleApi.list, { query: {} });
    expect(
      limits.map(({ measure, amount, group, username, token_owner, channel_name }) => [
        measure,
        amount,
        group || username || token_owner || channel_name,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['tokens_per_minute', 9000, 'litellm-search'],
        ['requests_per_minute', 60, 'boss'],
        ['requests_per_minute', 7, 'mona'],
        ['requests_under_way', 3, 'mona'],
        ['requests_per_minute', 480, 'azure europe'],
      ]),
    );
  });

  test('serves requests with the old keys, and a second run changes nothing', async () => {
    const upstream = await StubUpstream.start(completion());
    await using source = await gateway();
    await using stored = await createMigratedDatabase();
    const configFile = configOf(stored, upstream.url);
    const given = { configFile, environment };
    await importFrom(source, stored, given);
    const before = await databaseContents(stored);
    const again = await importFrom(source, stored, given);
    expect(again.filter((line) => / [1-9]\d* to import/.test(line))).toEqual([]);
    expect(await databaseContents(stored)).toEqual(before);
    await using app = await startTestApp({ on: stored });
    for (const key of [keys.ada, keys.team, keys.service, keys.limited]) expect(await statusOf(app, key)).toBe(200);
    for (const key of [keys.blocked, keys.gone, 'sk-dashboard', 'sk-other']) expect(await statusOf(app, key)).toBe(401);
    expect(await statusOf(app, keys.ada, 'o1')).toBe(403);
    const sealed = await app.database.selectFrom('tokens').select('id').where('key_sealed', '<>', '').execute();
    // Keys that clients send after the import, including the two that are rejected.
    expect(sealed).toHaveLength(6);
    expect(upstream.received.at(-1)?.headers['authorization']).toBe('Bearer sk-up');
    expect(await (await app.as('root')).call(ledgerApi.check)).toMatchObject({
      drift: 0,
      log_drift: 0,
      budget_drift: 0,
    });
    await app.close();
    const used = await databaseContents(stored);
    await importFrom(source, stored, given);
    expect(await databaseContents(stored)).toEqual(used);
    await upstream.close();
  });

  test('reads the models of a configuration file without a database', async () => {
    await using stored = await createMigratedDatabase();
    const path = configOf(stored, 'https://upstream.example.com');
    const report = await importFrom({ path }, stored);
    expect(report).toContain('channels: 5 read, 3 to import, 0 already imported, 2 skipped');
    expect((await databaseContents(stored))['channels']).toMatchObject([
      { status: 2 },
      { status: 2 },
      { type: 3, status: 1 },
    ]);
  });
});

test('the command decrypts the models in the database if the salt key is set in its environment', async () => {
  await using source = await LitellmDatabase.create();
  await using stored = await createMigratedDatabase();
  // Encrypted with this salt key by TweetNaCl.
  const salt = 'sk-salt-1234';
  const litellm_params = {
    model: 'q7N1237PQXSNqQgCmcA_LrzgUEABlYrojo4J9gHL1KOVQuMklnumxPnQEoGMUf9fFEM3-a8=',
    litellm_credential_name: 'pNJoaAF8DM_-Lv5QlE70IRg0ZgzKg0xuqSAdRAXWslOo8laTa041IATCU-M9Bg==',
    rpm: 9,
  };
  const credential_values = {
    api_key: 'X6rFouqkVWx9j9tzbwFCtKPsGiXHb-rivQoMRUBog6uY69d_FfwuP7ckbeNgjEHoPISVk0Hm41amzkh6d9w=',
    api_base: 'U67iynYrlykZav7v0ivVq9y9-HoPKcwN7vv_XXuL7y0LkaoCX2FXwi1dxB2nLKm7S2ZuS8Kl2pKzvKDfEbl2ad_a',
  };
  await source.add('ProxyModelTable', { model_id: 'm-1', model_name: 'fast', litellm_params });
  await source.add('CredentialsTable', { credential_id: 'c-1', credential_name: 'shared', credential_values });
  const run = async (variables: Readonly<Record<string, string>>) => {
    const environment = { ...stored.environment, ...variables };
    await using program = runFile('import.ts', ['--from', source.path], { environment });
    return await program.exit;
  };
  expect(await run({})).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/channel \w+ "model fast" skipped: is encrypted: set LITELLM_SALT_KEY/),
  });
  const decrypted = await run({ LITELLM_SALT_KEY: salt });
  expect(decrypted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 read, 1 to import') });
  expect(decrypted.stdout).not.toMatch(/sk-upstream-of-litellm|sk-salt/);
  const { channels } = await databaseContents(stored);
  expect(channels).toMatchObject([
    { name: 'openai fast', models: 'fast', base_url: 'https://api.example.com', model_mapping: '{"fast":"gpt-4o"}' },
  ]);
});

test('rejects another LiteLLM database under the same name', async () => {
  await using first = await LitellmDatabase.create();
  await using second = await LitellmDatabase.create();
  await first.addKey('sk-first');
  await second.addKey('sk-second');
  await using stored = await createMigratedDatabase();
  await importFrom(first, stored);
  await expect(importFrom(second, stored)).rejects.toThrow(/^This is not the database that was imported before/);
  expect(await importFrom(second, stored, { as: 'second' })).toContain(
    'tokens: 1 read, 1 to import, 0 already imported, 0 skipped',
  );
});

test('keeps the imported hashes in an export', async () => {
  const upstream = await StubUpstream.start(completion());
  await using source = await gateway();
  await using stored = await createMigratedDatabase();
  const configFile = configOf(stored, upstream.url);
  await importFrom(source, stored, { configFile, environment });
  using folder = archiveFolder();
  await exportArchive(folder.path('all.archive'), stored);
  await using restored = await createMigratedDatabase();
  await restoreArchive(folder.path('all.archive'), restored);
  await using app = await startTestApp({ on: restored });
  expect(await statusOf(app, keys.ada)).toBe(200);
  await upstream.close();
});

test('fails with a one-sentence error if the configuration file is missing, or if logs are requested from it', async () => {
  await using source = await LitellmDatabase.create();
  await using stored = await createMigratedDatabase();
  const missing = { configFile: '/nowhere/config.yaml' };
  await expect(importFrom(source, stored, missing)).rejects.toThrow('cannot be read (ENOENT)');
  const file = { path: configOf(stored, 'https://upstream.example.com') };
  await expect(importFrom(file, stored, { logsSince: 0 })).rejects.toThrow('A configuration file has no logs.');
});
