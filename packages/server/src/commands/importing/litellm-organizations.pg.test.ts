import { budgetApi, ledgerApi, organizationApi, organizationTokenApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom } from '../../testing/commands/import-fixture.ts';
import { LitellmDatabase, litellmHash } from '../../testing/commands/litellm-database.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

type Row = Record<string, number | string>;

async function source(): Promise<LitellmDatabase> {
  const database = await LitellmDatabase.create();
  await database.add(
    'BudgetTable',
    { budget_id: 'b-org', max_budget: 100 },
    { budget_id: 'b-member', max_budget: 5, budget_duration: '7d' },
  );
  await database.add('OrganizationTable', {
    organization_id: 'o-1',
    organization_alias: 'Acme',
    budget_id: 'b-org',
    spend: 40,
    models: ['gpt-4o'],
  });
  await database.add('UserTable', { user_id: 'u-ada', user_alias: 'ada', spend: 7 });
  await database.add('UserTable', { user_id: 'u-bob', user_alias: 'bob', spend: 3 });
  await database.add('UserTable', { user_id: 'u-cem', user_alias: 'cem' });
  await database.add(
    'OrganizationMembership',
    { organization_id: 'o-1', user_id: 'u-ada', user_role: 'org_admin' },
    { organization_id: 'o-1', user_id: 'u-bob', user_role: 'internal_user', budget_id: 'b-member' },
  );
  const admin = (user_id: string) => JSON.stringify([{ role: 'admin', user_id, user_email: null }]);
  await database.add(
    'TeamTable',
    {
      team_id: 't-1',
      team_alias: 'search',
      organization_id: 'o-1',
      max_budget: 20,
      spend: 8,
      models: ['gpt-4o'],
      members_with_roles: admin('u-bob'),
    },
    { team_id: 't-2', team_alias: 'search', organization_id: 'o-1' },
    { team_id: 't-3', team_alias: 'solo', max_budget: 10, spend: 4, members_with_roles: admin('u-cem') },
  );
  await database.addKey('sk-ada-team', { user_id: 'u-ada', team_id: 't-1', spend: 2, max_budget: 6 });
  await database.addKey('sk-ada-own', { user_id: 'u-ada', spend: 5 });
  await database.addKey('sk-service', { team_id: 't-1', spend: 6 });
  await database.addKey('sk-cem', { user_id: 'u-cem', team_id: 't-3', spend: 4 });
  return database;
}

const rowsOf = async (stored: Parameters<typeof databaseContents>[0]) =>
  (await databaseContents(stored)) as Record<string, Row[]>;

test('imports organizations with members, projects and the tokens that they pay for', async () => {
  await using litellm = await source();
  await using stored = await createMigratedDatabase();
  await importFrom(litellm, stored);
  const { users = [], organization_members = [], projects = [], tokens = [], budgets } = await rowsOf(stored);
  const userOf = (username: string) => users.find((row) => row['username'] === username) ?? {};
  const [acme, solo] = [userOf('org:Acme'), userOf('org:solo')];
  expect(acme).toMatchObject({ kind: 'organization', quota: 30_000_000, used_quota: 4_000_000, credited: 34_000_000 });
  expect(solo).toMatchObject({ quota: 3_000_000, used_quota: 2_000_000 });
  // Spend is counted once: 7 + 3 dollars of users, 6 of the key without a user, 4 of a key whose user has no spend.
  expect(
    users.filter(({ username }) => username !== 'root').reduce((sum, row) => sum + Number(row['used_quota']), 0),
  ).toBe(20 * 500_000);
  const roles = organization_members.map(({ organization_id, user_id, role }) => [organization_id, user_id, role]);
  expect(roles).toEqual([
    [acme['id'], userOf('ada')['id'], 'owner'],
    [acme['id'], userOf('bob')['id'], 'member'],
    [solo['id'], userOf('cem')['id'], 'owner'],
  ]);
  expect(projects).toMatchObject([
    { organization_id: acme['id'], name: 'search', models: 'gpt-4o', status: 1 },
    { organization_id: acme['id'], name: 'search 2', models: '' },
    { organization_id: solo['id'], name: 'solo' },
  ]);
  const tokenOf = (key: string) => tokens.find((row) => row['key_hash'] === litellmHash(key));
  const project = projects[0]?.['id'];
  expect(tokenOf('sk-ada-team')).toMatchObject({
    user_id: acme['id'],
    creator_id: userOf('ada')['id'],
    project_id: project,
    service_account_id: 0,
    remain_quota: 2_000_000,
    used_quota: 1_000_000,
    models: 'gpt-4o',
  });
  expect(tokenOf('sk-service')).toMatchObject({ user_id: acme['id'], creator_id: 0, project_id: project });
  expect(tokenOf('sk-service')?.['service_account_id']).toBeGreaterThan(0);
  expect(tokenOf('sk-ada-own')).toMatchObject({ user_id: userOf('ada')['id'], creator_id: 0, project_id: 0 });
  expect(budgets).toMatchObject([
    { owner_kind: 'project', owner_id: project, amount: 6_000_000, period: 'all' },
    { owner_kind: 'member', owner_id: organization_members[1]?.['id'], amount: 2_500_000, period: 'week' },
  ]);
  await using app = await startTestApp({ on: stored });
  const root = await app.as('root');
  const params = { id: Number(acme['id']) };
  expect(await root.call(organizationApi.get, { params })).toMatchObject({ name: 'Acme', quota: 30_000_000 });
  const listed = await root.call(organizationTokenApi.list, { params, query: {} });
  expect(listed.map(({ creator, project: name }) => [creator, name])).toContainEqual(['ada', 'search']);
  expect(await root.call(budgetApi.list, { query: {} })).toHaveLength(2);
  expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
});

test('a second run imports only new rows, and keeps what was removed here', async () => {
  await using litellm = await source();
  await using stored = await createMigratedDatabase();
  await importFrom(litellm, stored);
  const before = await rowsOf(stored);
  await importFrom(litellm, stored);
  expect(await rowsOf(stored)).toEqual(before);
  await litellm.addKey('sk-cem-new', { user_id: 'u-cem', team_id: 't-1' });
  const report = await importFrom(litellm, stored);
  expect(report).toContain('organizations: 2 read, 0 to import, 2 already imported, 0 skipped');
  expect(report).toContain('members: 4 read, 1 to import, 3 already imported, 0 skipped');
  const { tokens = [] } = await rowsOf(stored);
  const [team, added] = ['sk-ada-team', 'sk-cem-new'].map((key) =>
    tokens.find((row) => row['key_hash'] === litellmHash(key)),
  );
  expect(added).toMatchObject({ user_id: team?.['user_id'], project_id: team?.['project_id'] });
  {
    await using app = await startTestApp({ on: stored });
    await (await app.as('root')).call(organizationApi.remove, { params: { id: Number(team?.['user_id']) } });
  }
  await litellm.addKey('sk-later', { user_id: 'u-ada', team_id: 't-1' });
  expect(await importFrom(litellm, stored)).toContainEqual(
    expect.stringMatching(/^ {2}token \w+ .* skipped: belongs to a team whose project is skipped or was deleted here$/),
  );
});

test('logs of tokens that an organization pays for belong to the organization', async () => {
  await using litellm = await source();
  const log = { startTime: '2026-11-01 10:00:00', spend: 2, model: 'gpt-4o' };
  await litellm.add(
    'SpendLogs',
    { ...log, request_id: 'r-1', api_key: litellmHash('sk-ada-team'), user: 'u-ada', team_id: 't-1' },
    { ...log, request_id: 'r-2', api_key: litellmHash('sk-ada-own'), user: 'u-ada', spend: 5 },
    { ...log, request_id: 'r-3', api_key: litellmHash('sk-deleted'), team_id: 't-1', spend: 1 },
  );
  await using stored = await createMigratedDatabase();
  await importFrom(litellm, stored, { logsSince: 0 });
  const { logs = [], users = [] } = await rowsOf(stored);
  const names = new Map(users.map(({ id, username }) => [id, username]));
  expect(logs.map(({ user_id = 0, quota }) => [names.get(user_id), quota])).toEqual([
    ['org:Acme', 1_000_000],
    ['ada', 2_500_000],
    ['org:Acme', 500_000],
  ]);
  expect(String(logs[0]?.['detail'])).toMatch(/"org\.member":"\d+","org\.project":"\d+"/);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test.each(['sqlite', 'postgres'] as const)(
  'reports hostile organizations, teams and members, and imports the rest into %s',
  async (kind) => {
    await using litellm = await LitellmDatabase.create();
    await litellm.add('UserTable', { user_id: 'u-1', user_alias: 'one', teams: ['t-1', 't-1'] });
    await litellm.add(
      'OrganizationTable',
      { organization_id: '__proto__', organization_alias: 'org:\u202eevil@x', budget_id: 'none', spend: -4 },
      { organization_id: 'o-2', organization_alias: 'ACME' },
      { organization_id: 'o-3', organization_alias: 'Аcme'.normalize() },
    );
    await litellm.add(
      'OrganizationMembership',
      { organization_id: 'missing', user_id: 'u-1', user_role: 'org_admin' },
      { organization_id: 'o-2', user_id: 'nobody', user_role: 'org_admin' },
      { organization_id: 'o-2', user_id: 'u-1', user_role: 'constructor' },
    );
    const twice = JSON.stringify([{ role: 'admin', user_id: 'u-1' }, { role: 'user', user_id: 'u-1' }, 7, null]);
    await litellm.add(
      'TeamTable',
      { team_id: 't-1', team_alias: 'acme', organization_id: 'missing', members_with_roles: twice },
      { team_id: 't-2', team_alias: 'acme', organization_id: '__proto__', members_with_roles: '"text"' },
    );
    await litellm.addKey('sk-one', { user_id: 'u-1', team_id: 't-1' });
    await litellm.addKey('sk-two', { user_id: 'nobody', team_id: 't-2' });
    await using stored = await createTestDatabase(kind);
    const report = await importFrom(litellm, stored);
    expect(report.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(report).toContain('organizations: 4 read, 4 to import, 0 already imported, 0 skipped');
    expect(report).toContain('  member "nobody" of "ACME" skipped: does not exist as a user in LiteLLM');
    expect(report).toContainEqual(expect.stringMatching(/^ {2}organization t-1 .* does not exist in LiteLLM$/));
    const { organizations = [], organization_members = [], tokens = [], users = [] } = await rowsOf(stored);
    expect(new Set(organizations.map(({ name }) => String(name).toLowerCase())).size).toBe(4);
    expect(organization_members).toHaveLength(5);
    // An organization without an admin is owned by the super admin.
    const root = users.find(({ username }) => username === 'root');
    expect(organization_members.filter(({ role }) => role === 'owner').map(({ user_id }) => user_id)).toHaveLength(4);
    expect(organization_members.filter(({ user_id }) => user_id === root?.['id'])).toHaveLength(3);
    expect(tokens.map(({ status }) => status)).toEqual([1, 1]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  },
);
