import {
  organizationApi,
  organizationDirectoryApi,
  organizationMemberApi,
  role,
  sessionApi,
  tokenStatus,
  userApi,
  userStatus,
} from '@headgate/contract';
import { describe, expect, it } from 'vitest';
import { directoryFixture, patchOf } from '../../testing/accounts/directory-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { QuotaForNewUser: '500' } });
const fixture = await directoryFixture(app);
const { people, root, createDirectory, join, signedInUser, accountOf, roleOf, createToken, tokenStates } = fixture;
const owner = people.owner.client;
const deactivate = patchOf({ op: 'replace', value: { active: false } });
const activate = patchOf({ op: 'replace', value: { active: true } });

describe('accounts', () => {
  it('are never found by an address outside the organization', async () => {
    const { scim } = await createDirectory();
    const victim = await signedInUser({ email: 'victim@corp.example' });
    const { body } = await scim('POST', '/Users', {
      userName: 'victim@corp.example',
      emails: [{ value: 'victim@corp.example', primary: true }],
    });
    const account = await accountOf(body.id);
    expect(account.id).not.toBe(victim.user.id);
    // The address is not verified, so it is not stored with the account.
    expect(account.email).toBe(null);
    await scim('DELETE', `/Users/${body.id}`);
    expect(await victim.client.call(userApi.self)).toMatchObject({ status: userStatus.enabled });
  });

  it('of members who accepted an invitation are linked, and keep working outside the organization', async () => {
    const { id, scim } = await createDirectory();
    const person = await signedInUser({ email: 'linked@corp.example' });
    await join(id, person.user.id, 'viewer');
    const { body } = await scim('POST', '/Users', { userName: 'Linked@corp.example' });
    expect((await accountOf(body.id)).id).toBe(person.user.id);
    expect(await roleOf(id, person.user.id)).toBe('viewer');
    const [token, other] = [
      await createToken(id, person.user.id, 'a'),
      await createToken(id, people.owner.user.id, 'b'),
    ];
    await scim('PATCH', `/Users/${body.id}`, deactivate);
    expect(await roleOf(id, person.user.id)).toBe(undefined);
    expect(await tokenStates([token, other])).toEqual([tokenStatus.disabled, tokenStatus.enabled]);
    // The session was ended, but the account does not belong to the organization.
    expect((await person.client.send(userApi.self)).status).toBe(401);
    expect((await accountOf(body.id)).status).toBe(userStatus.enabled);
    const again = await app.signedIn(person.user.username, person.user.password);
    await scim('PATCH', `/Users/${body.id}`, activate);
    expect(await roleOf(id, person.user.id)).toBe('viewer');
    expect(await tokenStates([token, other])).toEqual([tokenStatus.enabled, tokenStatus.enabled]);
    await scim('DELETE', `/Users/${body.id}`);
    expect((await again.send(userApi.self)).status).toBe(401);
    expect((await fixture.root.call(userApi.get, { params: { id: person.user.id } })).status).toBe(userStatus.enabled);
  });

  it('of gateway admins are never linked, disabled or signed out', async () => {
    const { id, scim } = await createDirectory();
    const admin = await signedInUser({ email: 'admin@corp.example', role: role.admin });
    await join(id, admin.user.id, 'member');
    expect(await scim('POST', '/Users', { userName: 'admin@corp.example' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
    const { body } = await scim('POST', '/Users', { userName: 'later@corp.example' });
    const { id: later } = await accountOf(body.id);
    await app.database.updateTable('users').set({ role: role.admin }).where('id', '=', later).execute();
    await scim('PATCH', `/Users/${body.id}`, deactivate);
    expect((await accountOf(body.id)).status).toBe(userStatus.enabled);
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(204);
    expect((await root.call(userApi.get, { params: { id: later } })).status).toBe(userStatus.enabled);
  });

  it('banned by an admin are not enabled by the directory', async () => {
    const { scim } = await createDirectory();
    const { body } = await scim('POST', '/Users', { userName: 'banned@corp.example' });
    const { username } = await accountOf(body.id);
    await root.call(userApi.manage, { body: { username, action: 'disable' } });
    await scim('PATCH', `/Users/${body.id}`, deactivate);
    await scim('PATCH', `/Users/${body.id}`, activate);
    expect((await accountOf(body.id)).status).toBe(userStatus.disabled);
  });

  it('get no welcome quota and cannot log in with a password', async () => {
    const { scim } = await createDirectory();
    const { body } = await scim('POST', '/Users', { userName: 'poor@corp.example', password: 'long enough 1' });
    const { username, quota } = await accountOf(body.id);
    expect(quota).toBe(0);
    const login = await app.client().send(sessionApi.login, { body: { username, password: 'long enough 1' } });
    expect(login.body).toMatchObject({ success: false });
  });
});

describe('another organization', () => {
  it('cannot be read or changed', async () => {
    const [own, other] = [await createDirectory(), await createDirectory()];
    const user = (await other.scim('POST', '/Users', { userName: 'x@other.example', externalId: 'x' })).body.id;
    const group = (await other.scim('POST', '/Groups', { displayName: 'X', members: [{ value: user }] })).body.id;
    for (const path of [`/Users/${user}`, `/Groups/${group}`])
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const body = { GET: undefined, DELETE: undefined, PUT: { userName: 'y', displayName: 'y' }, PATCH: activate };
        const { status } = await own.scim(method, path, body[method as keyof typeof body]);
        expect(status, `${method} ${path}`).toBe(404);
      }
    for (const path of ['/Users', '/Groups', `/Users?filter=id eq "${user}"`, '/Users?filter=externalId eq "x"'])
      expect((await own.scim('GET', path)).body.totalResults, path).toBe(0);
    const stolen = await own.scim('POST', '/Groups', { displayName: 'Y', members: [{ value: user }] });
    expect(stolen).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    const mapping = { params: { id: own.id }, body: { id: Number(group), role: 'admin' } };
    expect((await owner.send(organizationDirectoryApi.updateGroup, mapping)).body).toMatchObject({ success: false });
    const revoked = await owner.call(organizationDirectoryApi.tokens, { params: { id: other.id } });
    const params = { id: own.id, scim_token: revoked[0]?.id };
    expect((await owner.send(organizationDirectoryApi.revokeToken, { params })).body).toMatchObject({ success: false });
  });
});

describe('roles', () => {
  it('are not derived from the name of a group, and the owner role is never assigned', async () => {
    const { id, scim } = await createDirectory();
    const user = (await scim('POST', '/Users', { userName: 'climber@corp.example' })).body.id;
    for (const displayName of ['owner', 'admin', 'root'])
      await scim('POST', '/Groups', { displayName, members: [{ value: user }], role: 'owner' });
    const account = await accountOf(user);
    expect(account.role).toBe(role.common);
    expect(await roleOf(id, account.id)).toBe('member');
    const [group] = await owner.call(organizationDirectoryApi.groups, { params: { id } });
    const body = { id: group?.id, role: 'owner' };
    expect((await owner.send(organizationDirectoryApi.updateGroup, { params: { id }, body })).status).toBe(400);
  });

  it('of the last owner and of invited members are not changed', async () => {
    const { id } = await createDirectory();
    // A token of the super admin keeps working when the owners are removed.
    const { token } = await root.call(organizationDirectoryApi.createToken, { params: { id }, body: {} });
    const scim = fixture.withToken(token);
    const user = (await scim('POST', '/Users', { userName: 'heir@corp.example' })).body.id;
    const account = await accountOf(user);
    await app.database
      .deleteFrom('organization_members')
      .where('organization_id', '=', id)
      .where('user_id', '<>', account.id)
      .execute();
    await root.call(organizationMemberApi.update, { params: { id }, body: { user_id: account.id, role: 'owner' } });
    expect((await scim('PATCH', `/Users/${user}`, deactivate)).status).toBe(409);
    await scim('POST', '/Groups', { displayName: 'Viewers', members: [{ value: user }] });
    const [group] = await root.call(organizationDirectoryApi.groups, { params: { id } });
    const body = { id: group?.id ?? 0, role: 'viewer' } as const;
    await root.call(organizationDirectoryApi.updateGroup, { params: { id }, body });
    expect(await roleOf(id, account.id)).toBe('owner');
  });
});

describe('SCIM tokens', () => {
  it('all work during the grace period, and are rejected once revoked', async () => {
    const { id, scim } = await createDirectory();
    const second = await fixture.newScimToken(id, 60);
    const [newest, oldest] = await owner.call(organizationDirectoryApi.tokens, { params: { id } });
    expect(JSON.stringify(newest)).not.toContain(second.token);
    expect(second.token.startsWith(newest?.prefix ?? '-')).toBe(true);
    const next = fixture.withToken(second.token);
    for (const call of [scim, next]) expect((await call('GET', '/Users')).status).toBe(200);
    await owner.call(organizationDirectoryApi.revokeToken, { params: { id, scim_token: oldest?.id ?? 0 } });
    expect((await scim('GET', '/Users')).status).toBe(401);
    await fixture.newScimToken(id);
    expect((await next('GET', '/Users')).status).toBe(401);
  });

  it('are required by every endpoint, and other credentials are rejected', async () => {
    const accessToken = await owner.call(userApi.makeAccessToken);
    for (const token of ['', 'hgscim_wrong', accessToken]) {
      for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas', '/ResourceTypes']) {
        const { status, headers, body } = await fixture.withToken(token)('GET', path);
        expect(status, path).toBe(401);
        expect(headers.get('www-authenticate')).toBe('Bearer');
        expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
      }
    }
    const { token } = await createDirectory();
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.client().send(userApi.self, { headers })).status).toBe(401);
    const log = await app.database.selectFrom('logs').select('content').execute();
    expect(JSON.stringify(log)).not.toContain(token);
  });

  it("require a gateway admin's permission, and are rejected once it is withdrawn", async () => {
    const { id, scim } = await createDirectory();
    await root.call(organizationApi.update, { body: { id, sso_allowed: false } });
    expect((await scim('GET', '/Users')).status).toBe(403);
    const denied = await owner.send(organizationDirectoryApi.createToken, { params: { id }, body: {} });
    expect(denied.headers.get('x-error-code')).toBe('ssoNotAllowed');
  });
});

describe('invalid requests', () => {
  it('return SCIM errors', async () => {
    const { scim } = await createDirectory();
    const { body } = await scim('POST', '/Users', { userName: 'one@corp.example' });
    const path = `/Users/${body.id}`;
    const type = async (...call: Parameters<typeof scim>) => {
      const { status, body: error } = await scim(...call);
      return [status, error.scimType];
    };
    expect(await type('POST', '/Users', { userName: 'ONE@corp.example' })).toEqual([409, 'uniqueness']);
    expect(await type('POST', '/Users', {})).toEqual([400, 'invalidValue']);
    expect(await type('POST', '/Users', { userName: 'x'.repeat(300) })).toEqual([400, 'invalidValue']);
    expect(await type('POST', '/Users', [])).toEqual([400, 'invalidValue']);
    expect(await type('POST', '/Groups', { displayName: 'G', members: [{ value: 'x' }] })).toEqual([
      400,
      'invalidValue',
    ]);
    expect(await type('PATCH', path, patchOf({ op: 'replace', path: 'active', value: 'maybe' }))).toEqual([
      400,
      'invalidValue',
    ]);
    expect(await type('PATCH', path, patchOf({ op: 'test', path: 'active' }))).toEqual([400, 'invalidSyntax']);
    expect(await type('PATCH', path, patchOf({ op: 'remove' }))).toEqual([400, 'noTarget']);
    expect(await type('PATCH', path, patchOf({ op: 'remove', path: 'userName' }))).toEqual([400, 'mutability']);
    expect(await type('PATCH', path, patchOf({ op: 'replace', path: '..', value: 1 }))).toEqual([400, 'invalidPath']);
    expect(await type('PATCH', path, {})).toEqual([400, 'invalidSyntax']);
    for (const filter of ['userName co "x"', 'userName eq', 'password eq "x"', 'not (userName eq "x")'])
      expect(await type('GET', `/Users?filter=${encodeURIComponent(filter)}`), filter).toEqual([400, 'invalidFilter']);
    expect(await type('GET', '/Users?count=many')).toEqual([400, 'invalidValue']);
    expect(await type('GET', '/Nothing')).toEqual([404, undefined]);
    expect(await type('GET', '/Users/me')).toEqual([404, undefined]);
    expect((await scim('GET', path)).body.active).toBe(true);
  });

  it('are rejected if the body is too large or not JSON', async () => {
    const { token } = await createDirectory();
    const send = async (body: string, type = 'application/scim+json') => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const { status } = await fetch(`${app.url}/scim/v2/Users`, { method: 'POST', headers, body });
      return status;
    };
    expect(await send('{')).toBe(400);
    expect(await send('{"__proto__": {"userName": "x"}}')).toBe(400);
    expect(await send(`{"userName": "${'x'.repeat(1_100_000)}"}`)).toBe(413);
    expect(await send('userName=x', 'application/x-www-form-urlencoded')).toBe(415);
  });

  it('do not affect access to the API description', async () => {
    const { scim } = await createDirectory();
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    const { Resources } = (await scim('GET', '/Schemas')).body;
    for (const { id } of Resources) expect((await scim('GET', `/Schemas/${id}`)).body.id).toBe(id);
    expect((await scim('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users' });
  });
});
