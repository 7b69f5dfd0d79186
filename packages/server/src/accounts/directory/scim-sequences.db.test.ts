import { organizationDirectoryApi, tokenStatus, userStatus } from '@headgate/contract';
import { expect, test } from 'vitest';
import { directoryFixture, patchOf } from '../../testing/accounts/directory-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { people, createDirectory, accountOf, roleOf, createToken, tokenStates } = await directoryFixture(app);
const owner = people.owner.client;
const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test('serves the requests of Microsoft Entra ID', async () => {
  const { id, scim } = await createDirectory();
  const name = 'Ada.Lovelace@corp.example';
  expect((await scim('GET', `/Users?${filter(`userName eq "${name}"`)}`)).body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    Resources: [],
  });
  const created = await scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    externalId: 'ada-object-id',
    userName: name,
    active: true,
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: name }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    roles: [],
    [enterprise]: { department: 'Engines' },
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('content-type')).toMatch(/^application\/scim\+json/);
  expect(created.headers.get('location')).toBe(`${app.url}/scim/v2/Users/${created.body.id}`);
  expect(created.body).toMatchObject({ userName: name, active: true, externalId: 'ada-object-id' });
  const user = created.body.id;
  const account = await accountOf(user);
  expect(account).toMatchObject({ role: 1, password_hash: null, email: null, quota: 0, status: userStatus.enabled });
  expect(account.display_name).toBe('Ada Lovelace');
  expect(await roleOf(id, account.id)).toBe('member');

  const replaced = await scim(
    'PATCH',
    `/Users/${user}`,
    patchOf(
      { op: 'Replace', path: 'displayName', value: 'Ada King' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'ADA@corp.example' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Analytics' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
    ),
  );
  expect(replaced.status).toBe(200);
  expect(replaced.body).toMatchObject({
    displayName: 'Ada King',
    name: { givenName: 'Ada', familyName: 'King' },
    emails: [{ value: 'ada@corp.example', type: 'work', primary: true }],
  });

  const first = await createToken(id, account.id, 'first');
  const disabled = await createToken(id, account.id, 'disabled by the user');
  await app.database.updateTable('tokens').set({ status: tokenStatus.disabled }).where('id', '=', disabled).execute();
  expect(
    await scim('PATCH', `/Users/${user}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
  ).toMatchObject({ status: 200, body: { active: false } });
  expect((await accountOf(user)).status).toBe(userStatus.disabled);
  expect(await roleOf(id, account.id)).toBe(undefined);
  expect(await tokenStates([first, disabled])).toEqual([tokenStatus.disabled, tokenStatus.disabled]);
  await scim('PATCH', `/Users/${user}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }));
  expect((await accountOf(user)).status).toBe(userStatus.enabled);
  expect(await roleOf(id, account.id)).toBe('member');
  expect(await tokenStates([first, disabled])).toEqual([tokenStatus.enabled, tokenStatus.disabled]);

  expect((await scim('DELETE', `/Users/${user}`)).status).toBe(204);
  expect((await scim('GET', `/Users/${user}`)).status).toBe(404);
  const gone = await app.database.selectFrom('users').select('status').where('id', '=', account.id).executeTakeFirst();
  expect(gone?.status).toBe(userStatus.deleted);
});

test('serves the group requests of Microsoft Entra ID, and maps groups to roles', async () => {
  const { id, scim } = await createDirectory();
  const newUser = async (userName: string) => (await scim('POST', '/Users', { userName })).body.id;
  const [ada, bob] = [await newUser('ada@corp.example'), await newUser('bob@corp.example')];
  const byName = `excludedAttributes=members&${filter('displayName eq "Gateway Admins"')}`;
  expect((await scim('GET', `/Groups?${byName}`)).body.totalResults).toBe(0);
  const created = await scim('POST', '/Groups', { displayName: 'Gateway Admins', externalId: 'g-1', members: [] });
  expect(created).toMatchObject({ status: 201, body: { displayName: 'Gateway Admins', members: [] } });
  const group = created.body.id;
  const adaAccount = await accountOf(ada);
  const bobAccount = await accountOf(bob);
  const roles = async () => [await roleOf(id, adaAccount.id), await roleOf(id, bobAccount.id)];

  const add = patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: ada }, { value: bob }] });
  expect((await scim('PATCH', `/Groups/${group}`, add)).status).toBe(204);
  // A group name never determines a role; only an owner of the organization maps groups.
  expect(await roles()).toEqual(['member', 'member']);
  await owner.call(organizationDirectoryApi.updateGroup, {
    params: { id },
    body: { id: Number(group), role: 'admin' },
  });
  expect(await roles()).toEqual(['admin', 'admin']);
  expect((await scim('GET', `/Groups?${byName}`)).body.Resources[0]).not.toHaveProperty('members');
  const ofAda = await scim('GET', `/Groups?${filter(`id eq "${group}" and members eq "${ada}"`)}`);
  expect(ofAda.body.totalResults).toBe(1);

  await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Remove', path: 'members', value: [{ value: ada }] }));
  expect(await roles()).toEqual(['member', 'admin']);
  await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Remove', path: `members[value eq "${bob}"]` }));
  expect(await roles()).toEqual(['member', 'member']);
  await scim('PATCH', `/Groups/${group}`, add);
  expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204);
  expect(await roles()).toEqual(['member', 'member']);
  expect((await scim('GET', `/Groups/${group}`)).status).toBe(404);
});

test('serves the requests of Okta', async () => {
  const { id, scim } = await createDirectory();
  const byName = `/Users?${filter('userName eq "grace@corp.example"')}&startIndex=1&count=100`;
  expect((await scim('GET', byName)).body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0 });
  const profile = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'grace@corp.example',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ primary: true, value: 'grace@corp.example', type: 'work' }],
    displayName: 'Grace Hopper',
    locale: 'en-US',
    externalId: '00u1',
    groups: [],
    password: 'ignored by the gateway',
    active: true,
  };
  const { body } = await scim('POST', '/Users', profile);
  expect(body).not.toHaveProperty('password');
  expect((await accountOf(body.id)).password_hash).toBe(null);
  expect((await scim('GET', byName)).body.Resources.map((row) => row.id)).toEqual([body.id]);
  const put = await scim('PUT', `/Users/${body.id}`, { ...profile, id: body.id, displayName: 'Admiral Hopper' });
  expect(put).toMatchObject({ status: 200, body: { displayName: 'Admiral Hopper', active: true } });
  const deactivate = patchOf({ op: 'replace', value: { active: false } });
  expect((await scim('PATCH', `/Users/${body.id}`, deactivate)).body.active).toBe(false);
  expect((await scim('PUT', `/Users/${body.id}`, { ...profile, active: true })).body.active).toBe(true);

  const account = await accountOf(body.id);
  const group = await scim('POST', '/Groups', {
    displayName: 'Engineers',
    members: [{ value: body.id, display: 'grace@corp.example' }],
  });
  expect(group.body.members.map(({ value }) => value)).toEqual([body.id]);
  const path = `/Groups/${group.body.id}`;
  await owner.call(organizationDirectoryApi.updateGroup, {
    params: { id },
    body: { id: Number(group.body.id), role: 'viewer' },
  });
  expect(await roleOf(id, account.id)).toBe('viewer');
  const rename = patchOf({ op: 'replace', value: { id: group.body.id, displayName: 'Builders' } });
  expect((await scim('PATCH', path, rename)).status).toBe(204);
  expect((await scim('GET', path)).body).toMatchObject({ displayName: 'Builders', members: [{ value: body.id }] });
  await scim('PATCH', path, patchOf({ op: 'replace', path: 'members', value: [] }));
  expect(await roleOf(id, account.id)).toBe('member');
  await scim('PUT', path, { displayName: 'Builders', members: [{ value: body.id }] });
  expect(await roleOf(id, account.id)).toBe('viewer');
  const groups = await owner.call(organizationDirectoryApi.groups, { params: { id } });
  expect(groups).toMatchObject([{ name: 'Builders', role: 'viewer', members: 1 }]);
  const users = await owner.call(organizationDirectoryApi.users, { params: { id } });
  expect(users).toMatchObject([{ user_name: 'grace@corp.example', is_active: true, is_managed: true }]);
});

test('returns pages that start at index 1', async () => {
  const { scim } = await createDirectory();
  for (const n of [1, 2, 3]) await scim('POST', '/Users', { userName: `user${n}@corp.example`, externalId: `e${n}` });
  const names = async (query: string) => {
    const { body } = await scim('GET', `/Users?${query}`);
    return [body.totalResults, ...body.Resources.map(({ userName }) => userName.slice(0, 5))];
  };
  expect(await names('startIndex=2&count=1')).toEqual([3, 'user2']);
  expect(await names('startIndex=0&count=2')).toEqual([3, 'user1', 'user2']);
  expect(await names('count=0')).toEqual([3]);
  expect(await names('startIndex=9')).toEqual([3]);
  expect(await names(filter('userName eq "USER3@corp.example" and externalId eq "e3"'))).toEqual([1, 'user3']);
  expect(await names(filter('externalId eq "e3" and userName eq "user1@corp.example"'))).toEqual([0]);
  expect(await names(filter('emails[type eq "work"].value eq "none@corp.example"'))).toEqual([0]);
});
