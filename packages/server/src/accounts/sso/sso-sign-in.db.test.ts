import {
  errorCodeHeader,
  organizationApi,
  organizationSsoApi,
  role,
  ssoSignInApi,
  statusApi,
  userApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryFixture, patchOf } from '../../testing/accounts/directory-fixture.ts';
import { IdentityProvider, type ProviderClaims } from '../../testing/accounts/identity-provider.ts';
import { useTestApp } from '../../testing/test-app.ts';

const records = new Map<string, string>();
const app = await useTestApp({
  options: { ServerAddress: 'https://gateway.example' },
  resolveTxt: async (name) => [[records.get(name) ?? '']],
});
const fixture = await directoryFixture(app);
const { root, people, createDirectory, join, roleOf, signedInUser, withToken } = fixture;
const owner = people.owner.client;
const idp = await IdentityProvider.start();
afterAll(() => idp.close());

const [first, second] = [await createDirectory(), await createDirectory()];
const secret = 'secret of the gateway, long enough for a signature';

const createProvider = (id: number, client_id: string, given: object = {}) =>
  root.call(organizationSsoApi.createProvider, {
    params: { id },
    body: {
      name: client_id,
      issuer: idp.issuer,
      client_id,
      roles_claim: 'groups',
      roles: [
        { value: 'admins', role: 'admin' },
        { value: 'readers', role: 'viewer' },
      ],
      ...given,
    },
  });

const confidential = await createProvider(first.id, 'confidential', { client_secret: secret, joining: 'all' });
const open = await createProvider(second.id, 'open', { roles_claim: 'realm_access.roles', joining: 'domain' });
const redirects = (provider: { client_id: string; redirect_uri: string }) => ({
  client_id: provider.client_id,
  redirect_uris: [provider.redirect_uri],
});
idp.serve([
  { ...redirects(confidential), client_secret: secret },
  { ...redirects(open), token_endpoint_auth_method: 'none' },
]);

interface Attempt {
  readonly provider?: number;
  /** A signed-in browser, which links the provider. */
  readonly client?: ApiClient;
}

/** Begins at the gateway, signs in at the provider, and returns to the gateway. */
const enter = async (subject: string, claims: ProviderClaims, { provider = confidential.id, client }: Attempt = {}) => {
  const browser = client ?? app.client();
  const link = client !== undefined;
  const { url } = await browser.call(ssoSignInApi.begin, { params: { id: provider }, body: { link } });
  const query = await idp.signIn(url, subject, claims);
  const response = await browser.send(ssoSignInApi.finish, { params: { id: provider }, query });
  return { browser, query, code: response.headers.get(errorCodeHeader) ?? '' };
};

const selfOf = (client: ApiClient) => client.call(userApi.self);
const verified = (email: string) => ({ email, email_verified: true });

const verifyDomain = async (id: number, domain: string) => {
  const added = await owner.call(organizationSsoApi.addDomain, { params: { id }, body: { domain } });
  const params = { id, sso_domain: added.id };
  const early = await owner.send(organizationSsoApi.verifyDomain, { params });
  expect(early.headers.get(errorCodeHeader)).toBe('ssoDomainUnproved');
  records.set(added.record_name, added.record_value);
  expect((await owner.call(organizationSsoApi.verifyDomain, { params })).verified_time).toBeGreaterThan(0);
};
await verifyDomain(second.id, 'corp.example');

describe('the sign-in page', () => {
  const visitor = app.client();
  const provider = (id: number) => visitor.send(ssoSignInApi.provider, { params: { id } });
  const named = (row: { id: number }, name: string, organization: string) => [{ id: row.id, name, organization }];

  it('finds providers by verified domain and by the exact name of the organization', async () => {
    const { name } = await root.call(organizationApi.get, { params: { id: second.id } });
    const discover = (query: object) => visitor.call(ssoSignInApi.discover, { query });
    expect(await discover({ email: 'ada@corp.example' })).toEqual(named(open, 'open', name));
    expect(await discover({ organization: name.toUpperCase() })).toEqual(named(open, 'open', name));
    for (const query of [{ organization: name.slice(0, -2) }, { email: 'ada@other.example' }, {}])
      expect(await discover(query)).toEqual([]);
    expect(await visitor.call(statusApi.status)).toMatchObject({ sso_login: true });
  });

  it('names a usable provider, and returns the same error for unknown and disabled providers', async () => {
    expect((await provider(open.id)).body).toMatchObject({ data: { id: open.id, name: 'open' } });
    const change = (is_enabled: boolean) =>
      root.call(organizationSsoApi.updateProvider, { params: { id: second.id }, body: { id: open.id, is_enabled } });
    await change(false);
    const [disabled, unknown] = [await provider(open.id), await provider(987_654)];
    await change(true);
    expect(disabled.headers.get(errorCodeHeader)).toBe('ssoProviderOff');
    expect(disabled.body).toEqual(unknown.body);
    expect(disabled.status).toBe(unknown.status);
  });
});

describe('a sign-in through the provider of an organization', () => {
  it('creates an account, and applies the roles in the claim at each sign-in', async () => {
    const sign = (groups?: readonly string[]) => enter('ada', { preferred_username: 'ada', ...(groups && { groups }) });
    const { browser, code } = await sign(['readers']);
    expect(code).toBe('');
    const { id, username, role: gatewayRole } = await selfOf(browser);
    expect([username, gatewayRole]).toEqual(['ada', role.common]);
    expect(await roleOf(first.id, id)).toBe('viewer');
    await sign(['readers', 'admins', 'owner']);
    expect(await roleOf(first.id, id)).toBe('admin');
    // A missing claim changes nothing.
    expect((await sign()).code).toBe('');
    expect(await roleOf(first.id, id)).toBe('admin');
    // An empty one ends the membership.
    expect((await sign([])).code).toBe('ssoNoAccess');
    expect(await roleOf(first.id, id)).toBe(undefined);
    expect((await sign()).code).toBe('ssoNoAccess');
    expect((await sign(['readers'])).code).toBe('');
    expect(await roleOf(first.id, id)).toBe('viewer');
  });

  it('does not change memberships that others added', async () => {
    const person = await signedInUser();
    await join(first.id, person.user.id, 'billing');
    expect((await enter('linked', {}, { client: person.client })).code).toBe('');
    expect(await person.client.call(ssoSignInApi.own)).toMatchObject([{ id: confidential.id }]);
    const { browser, code } = await enter('linked', { groups: [] });
    expect(code).toBe('');
    expect((await selfOf(browser)).id).toBe(person.user.id);
    expect(await roleOf(first.id, person.user.id)).toBe('billing');
    await person.client.call(ssoSignInApi.unlink, { params: { id: confidential.id } });
    expect(await person.client.call(ssoSignInApi.own)).toEqual([]);
  });

  it('signs in to the account that the directory created, until it is deactivated', async () => {
    const created = await first.scim('POST', '/Users', { userName: 'grace@corp.example', externalId: 'grace-id' });
    const account = await fixture.accountOf(created.body.id);
    const { browser } = await enter('pairwise', { oid: 'grace-id' });
    expect((await selfOf(browser)).id).toBe(account.id);
    expect(await roleOf(first.id, account.id)).toBe('member');
    await first.scim('PATCH', `/Users/${created.body.id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect((await browser.send(userApi.self)).status).toBe(401);
    expect((await enter('pairwise', { oid: 'grace-id', groups: ['admins'] })).code).toBe('userBanned');
    expect((await enter('another', { oid: 'grace-id' })).code).toBe('ssoNoAccess');
  });

  it('lets people with a verified address at a verified domain join', async () => {
    const at = { provider: open.id };
    expect((await enter('outside', verified('x@other.example'), at)).code).toBe('ssoNotInvited');
    expect((await enter('unproved', { email: 'x@corp.example' }, at)).code).toBe('ssoNotInvited');
    const { browser, code } = await enter('new', { ...verified('new@corp.example') }, at);
    expect(code).toBe('');
    expect(await roleOf(second.id, (await selfOf(browser)).id)).toBe('member');
    const nested = { ...verified('boss@corp.example'), realm_access: { roles: ['admins'] } };
    const boss = await enter('boss', nested, at);
    expect(await roleOf(second.id, (await selfOf(boss.browser)).id)).toBe('admin');
    const existing = await signedInUser({ email: 'known@corp.example' });
    const known = await enter('known', verified('Known@corp.example'), at);
    expect((await selfOf(known.browser)).id).toBe(existing.user.id);
    expect(await app.client().call(ssoSignInApi.discover, { query: { email: 'any@CORP.example' } })).toMatchObject([
      { id: open.id, name: 'open' },
    ]);
    expect(await app.client().call(ssoSignInApi.discover, { query: { email: 'any@other.example' } })).toEqual([]);
  });
});

describe('attacks', () => {
  it("an address signs in to no account outside a verified domain, and never to an admin's account", async () => {
    const victim = await signedInUser({ email: 'victim@elsewhere.example' });
    const { browser } = await enter('thief', { ...verified('victim@elsewhere.example'), preferred_username: 'thief' });
    expect((await selfOf(browser)).id).not.toBe(victim.user.id);
    await signedInUser({ email: 'chief@corp.example', role: role.admin });
    const chief = await enter('chief', verified('chief@corp.example'), { provider: open.id });
    expect(chief.code).toBe('ssoForAdmins');
    // A person whose account was linked by the directory must first link the provider.
    const invited = await signedInUser({ email: 'invited@elsewhere.example' });
    await join(first.id, invited.user.id, 'member');
    await first.scim('POST', '/Users', { userName: 'invited@elsewhere.example' });
    expect((await enter('imposter', verified('invited@elsewhere.example'))).code).toBe('ssoNotLinked');
  });

  it('the provider cannot sign in to an account that has become an admin', async () => {
    const { browser } = await enter('rising', {});
    const { id } = await selfOf(browser);
    await app.database.updateTable('users').set({ role: role.admin }).where('id', '=', id).execute();
    expect((await enter('rising', {})).code).toBe('ssoForAdmins');
  });

  it('a response works only once, in its browser and at its provider', async () => {
    const begun = async () => {
      const browser = app.client();
      const { url } = await browser.call(ssoSignInApi.begin, { params: { id: confidential.id }, body: {} });
      return { browser, query: await idp.signIn(url, 'once', {}) };
    };
    const finish = async (client: ApiClient, id: number, query: object) =>
      (await client.send(ssoSignInApi.finish, { params: { id }, query: { ...query } })).headers.get(errorCodeHeader);
    const { browser, query } = await begun();
    expect(await finish(app.client(), confidential.id, query)).toBe('signInStateInvalid');
    expect(await finish(browser, confidential.id, query)).toBe(null);
    expect(await finish(browser, confidential.id, query)).toBe('signInStateInvalid');
    const mixedUp = await begun();
    expect(await finish(mixedUp.browser, open.id, mixedUp.query)).toBe('signInStateInvalid');
    const forged = await begun();
    expect(await finish(forged.browser, confidential.id, { ...forged.query, iss: 'https://evil.example' })).toBe(
      'providerUntrusted',
    );
  });

  it('linking requires a membership and a recent sign-in', async () => {
    const stranger = await signedInUser();
    expect((await enter('stranger', {}, { client: stranger.client })).code).toBe('ssoNotInvited');
    await join(first.id, stranger.user.id, 'member');
    await app.database
      .updateTable('sessions')
      .set({ proved_time: 1 })
      .where('user_id', '=', stranger.user.id)
      .execute();
    const begin = await stranger.client.send(ssoSignInApi.begin, {
      params: { id: confidential.id },
      body: { link: true },
    });
    expect(begin.headers.get(errorCodeHeader)).toBe('proofNeeded');
  });

  it('owners can set only public https issuers, and a change of issuer clears the secret and the linked accounts', async () => {
    const body = { name: 'inside', client_id: 'x' };
    for (const issuer of ['http://idp.example', 'https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254']) {
      const made = await owner.send(organizationSsoApi.createProvider, {
        params: { id: first.id },
        body: { ...body, issuer },
      });
      expect(made.headers.get(errorCodeHeader), issuer).toBe('ssoIssuerPrivate');
    }
    const made = await createProvider(first.id, 'moving', { client_secret: 'hidden secret' });
    expect(JSON.stringify(made)).not.toContain('hidden secret');
    await app.database
      .insertInto('sso_identities')
      .values({ provider_id: made.id, subject: 'ada', user_id: people.viewer.user.id, created_time: 1 })
      .execute();
    const moved = await owner.call(organizationSsoApi.updateProvider, {
      params: { id: first.id },
      body: { id: made.id, issuer: 'https://idp.example/.well-known/openid-configuration' },
    });
    expect(moved).toMatchObject({ issuer: 'https://idp.example', has_secret: false });
    const identities = app.database.selectFrom('sso_identities').selectAll().where('provider_id', '=', made.id);
    expect(await identities.execute()).toEqual([]);
    await owner.call(organizationSsoApi.removeProvider, { params: { id: first.id, sso_provider: made.id } });
  });

  it('a domain that another organization has verified is rejected', async () => {
    const added = await owner.call(organizationSsoApi.addDomain, {
      params: { id: first.id },
      body: { domain: 'CORP.example' },
    });
    const params = { id: first.id, sso_domain: added.id };
    const confirmed = await root.send(organizationSsoApi.confirmDomain, { params });
    expect(confirmed.headers.get(errorCodeHeader)).toBe('ssoDomainTaken');
    const foreign = { id: first.id, sso_domain: added.id + 1000 };
    expect((await root.send(organizationSsoApi.confirmDomain, { params: foreign })).body).toMatchObject({
      success: false,
    });
    await owner.call(organizationSsoApi.removeDomain, { params });
  });
});

describe('required SSO', () => {
  it('rejects password login for managed accounts only', async () => {
    const { browser } = await enter('managed', { preferred_username: 'managed' });
    const { id } = await selfOf(browser);
    const { password_hash } = await app.database
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', people.viewer.user.id)
      .executeTakeFirstOrThrow();
    await app.database.updateTable('users').set({ password_hash }).where('id', '=', id).execute();
    const { password, username } = people.viewer.user;
    const login = async (name: string) =>
      (await app.client().request('POST', '/api/user/login', { body: { username: name, password } })).headers.get(
        errorCodeHeader,
      );
    expect(await login('managed')).toBe(null);
    const settings = { params: { id: first.id }, body: { is_required: true } };
    await owner.call(organizationSsoApi.updateSettings, settings);
    expect(await login('managed')).toBe('ssoRequired');
    expect(await login(username)).toBe(null);
    expect((await enter('managed', {})).code).toBe('');
    const wrong = { body: { username: 'managed', password: 'wrong password' } };
    expect((await app.client().request('POST', '/api/user/login', wrong)).headers.get(errorCodeHeader)).toBe(
      'wrongCredentials',
    );
    await root.call(organizationApi.update, { body: { id: first.id, sso_allowed: false } });
    expect(await login('managed')).toBe(null);
    expect(
      (await app.client().send(ssoSignInApi.begin, { params: { id: confidential.id }, body: {} })).body,
    ).toMatchObject({
      success: false,
    });
    await root.call(organizationApi.update, { body: { id: first.id, sso_allowed: true } });
    expect((await withToken('hgscim_wrong')('GET', '/Users')).status).toBe(401);
  });
});
