import { readFileSync, writeFileSync } from 'node:fs';
import {
  organizationApi,
  organizationBudgetApi,
  organizationInvitationApi,
  organizationMemberApi,
  projectApi,
} from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { runDumpConfig } from '../../commands/dump-config-command.ts';
import { readConfig } from '../../config.ts';
import { queryDatabase } from '../../testing/commands/import-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  return { database, scene };
}

const storedIds = (testDatabase: Parameters<typeof queryDatabase>[0]) =>
  queryDatabase(testDatabase, async (database) => {
    const ids = async (table: 'organizations' | 'projects' | 'budgets') =>
      (await database.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
    return {
      organizations: await ids('organizations'),
      projects: await ids('projects'),
      budgets: await ids('budgets'),
    };
  });

const users = { alice: {}, bob: {} };
const acme = {
  members: { alice: 'owner', bob: 'member' },
  projects: { Search: { models: ['gpt-4o'], tags: { team: 'search' } } },
};
const budgetsOf = (organization: string) => ({
  wallet: { organization, amount: 9000, period: 'month' },
  'cap of bob': { organization, member: 'bob', amount: 500, period: 'day' },
  search: { organization, project: 'Search', amount: 700, period: 'all', time_zone: 'Europe/Berlin' },
});
const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };
const ofFile = { success: false, message: expect.stringContaining('managed by the configuration file') };

test('organizations, members, projects and budgets are created and are read-only over the API', async () => {
  const { database, scene } = await useScene();
  scene.write({ users, organizations: { Acme: acme }, budgets: budgetsOf('Acme') });
  expect((await scene.plan()).lines).toEqual(
    expect.arrayContaining(['    members: "alice owner, bob member"', '+ project "Acme/Search"']),
  );
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  const [organization] = await root.call(organizationApi.list, { query: {} });
  expect(organization).toMatchObject({ name: 'Acme', group: 'default', status: 1, quota: 0, members: 2 });
  const params = { id: organization?.id ?? 0 };
  const members = await root.call(organizationMemberApi.list, { params });
  expect(members).toMatchObject([
    { username: 'alice', role: 'owner', source: 'file' },
    { username: 'bob', role: 'member', source: 'file' },
  ]);
  const [project] = await root.call(projectApi.list, { params });
  expect(project).toMatchObject({ name: 'Search', models: 'gpt-4o', fixed_tags: 'team=search', status: 1 });
  const budgets = await root.call(organizationBudgetApi.list, { params });
  expect(budgets.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
    ['member', 500],
    ['project', 700],
    ['user', 9000],
  ]);
  const member = { ...params, user_id: members[1]?.user_id ?? 0 };
  for (const rejected of [
    root.send(organizationApi.update, { body: { ...params, name: 'Other' } }),
    root.send(organizationApi.remove, { params }),
    root.send(organizationMemberApi.update, { params, body: { user_id: member.user_id, role: 'admin' } }),
    root.send(organizationMemberApi.remove, { params: member }),
    root.send(projectApi.update, { params, body: { id: project?.id ?? 0, models: '' } }),
    root.send(projectApi.remove, { params: { ...params, project: project?.id ?? 0 } }),
    root.send(organizationBudgetApi.update, { params, body: { id: budgets[0]?.id ?? 0, amount: 1 } }),
  ])
    expect((await rejected).body).toMatchObject(ofFile);
});

test('renamed organizations and projects keep ids and budgets; members missing from the file are removed', async () => {
  const { database, scene } = await useScene();
  scene.write({ users, organizations: { Acme: acme }, budgets: budgetsOf('Acme') });
  await scene.apply();
  const before = await storedIds(database);
  const { wallet, search } = budgetsOf('Globex');
  scene.write({
    users,
    organizations: {
      Globex: {
        previous_name: 'Acme',
        members: { bob: 'owner' },
        projects: { Find: { ...acme.projects.Search, enabled: false, previous_name: 'Search' } },
      },
    },
    budgets: { wallet, search: { ...search, project: 'Find' } },
  });
  expect((await scene.plan()).lines).toEqual(
    expect.arrayContaining([
      '    members: "alice owner, bob member" → "bob owner"',
      '    name: "Acme/Search" → "Globex/Find"',
    ]),
  );
  await scene.apply();
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
  const after = await storedIds(database);
  expect(after).toEqual({ ...before, budgets: before.budgets.filter((id) => after.budgets.includes(id)) });
  expect(after.budgets).toHaveLength(2);
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  const [organization] = await root.call(organizationApi.list, { query: {} });
  expect(organization).toMatchObject({ name: 'Globex', members: 1 });
});

test('a dump contains organizations with their budgets, and applies without changes', async () => {
  const { database, scene } = await useScene();
  scene.write({ users, organizations: { Acme: acme }, budgets: budgetsOf('Acme') });
  await scene.apply();
  const to = `${scene.path}.dump`;
  await runDumpConfig({ to, hasUsers: false, print: () => undefined }, { ...readConfig({}), ...database.location });
  const text = readFileSync(to, 'utf8');
  writeFileSync(scene.path, text);
  expect(text).toContain('organization: Acme\n    member: bob');
  const { lines } = await scene.plan();
  expect(lines.filter((line) => /^[+~-] /.test(line))).toEqual([]);
});

test('members who joined in another way stay when the file no longer names them', async () => {
  const { database: testDatabase, scene } = await useScene();
  scene.write({ users, organizations: { Acme: { members: { alice: 'owner', bob: 'viewer' } } } });
  await scene.apply();
  await queryDatabase(testDatabase, (database) =>
    database.updateTable('organization_members').set({ source: 'invitation' }).where('role', '=', 'viewer').execute(),
  );
  scene.write({ users, organizations: { Acme: { members: { alice: 'owner' } } } });
  expect(await scene.plan()).toEqual(nothing);
});

test('the ownership cannot be transferred to or from a member in the file', async () => {
  const { database, scene } = await useScene();
  scene.write({ users, organizations: { Acme: acme } });
  await scene.apply();
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  const [organization] = await root.call(organizationApi.list, { query: {} });
  const params = { id: organization?.id ?? 0 };
  const idOf = async (username: string) =>
    (await root.call(organizationMemberApi.list, { params })).find((member) => member.username === username)?.user_id ??
    0;
  const [carol, dave] = [await app.createUser(), await app.createUser()];
  for (const { id } of [carol, dave])
    await app.database
      .insertInto('organization_members')
      .values({ organization_id: params.id, user_id: id, role: 'owner', source: 'invitation', created_time: 1 })
      .execute();
  const setSource = (userId: number, source: string, role: 'owner' | 'member') =>
    app.database.updateTable('organization_members').set({ source, role }).where('user_id', '=', userId).execute();
  await setSource(dave.id, 'invitation', 'member');
  const client = await app.signedIn(carol.username, carol.password);
  const offerTo = (user_id: number) => client.send(organizationMemberApi.offerOwnership, { params, body: { user_id } });
  expect((await offerTo(await idOf('bob'))).body).toMatchObject(ofFile);
  expect((await offerTo(dave.id)).body).toMatchObject({ success: true });
  // The file has added the owner meanwhile.
  await setSource(carol.id, 'file', 'owner');
  const heir = await app.signedIn(dave.username, dave.password);
  const [offer] = await heir.call(organizationInvitationApi.own);
  const accepted = await heir.send(organizationInvitationApi.accept, { body: { id: offer?.id ?? 0 } });
  expect(accepted.body).toMatchObject(ofFile);
});

test('the last owner cannot be removed', async () => {
  const { scene } = await useScene();
  scene.write({ users, organizations: { Acme: { members: { alice: 'owner' } } } });
  await scene.apply();
  scene.write({ users, organizations: { Acme: {} } });
  await expect(scene.plan()).rejects.toThrow(/organizations\.Acme was rejected/);
});

test.each([
  ['organizations.Acme', { organizations: { Acme: { members: { nobody: 'member' } } } }],
  ['organizations.Acme', { organizations: { Acme: { members: { alice: 'king' } } } }],
  ['budgets.cap', { budgets: { cap: { member: 'alice', amount: 1, period: 'day' } } }],
  ['budgets.cap', { budgets: { cap: { organization: 'None', amount: 1, period: 'day' } } }],
])('an invalid entry is rejected at %s (%#)', async (position, entry) => {
  const { scene } = await useScene();
  scene.write({ users, ...entry });
  await expect(scene.plan()).rejects.toThrow(position);
});
