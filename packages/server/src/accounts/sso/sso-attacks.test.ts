import {
  checkInApi,
  errorCodeHeader,
  organizationApi,
  organizationMemberApi,
  organizationSsoApi,
  ssoSignInApi,
  userApi,
  userStatus,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryFixture } from '../../testing/accounts/directory-fixture.ts';
import { IdentityProvider, type ProviderClaims } from '../../testing/accounts/identity-provider.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { ServerAddress: 'https://gateway.example', CheckInEnabled: 'true' } });
const { root, people, createDirectory, join, roleOf, signedInUser, accountOf } = await directoryFixture(app);
const owner = people.owner.client;
const idp = await IdentityProvider.start();
afterAll(() => idp.close());

const [first, second] = [await createDirectory(), await createDirectory()];

const createProvider = (id: number, client_id: string, joining: 'off' | 'domain' | 'all') =>
  root.call(organizationSsoApi.createProvider, {
    params: { id },
    body: {
      name: client_id,
      issuer: idp.issuer,
      client_id,
      joining,
      roles_claim: 'groups',
      roles: [{ value: 'readers', role: 'viewer' }],
    },
  });

const closed = await createProvider(first.id, 'closed', 'off');
const open = await createProvider(second.id, 'open', 'all');
idp.serve(
  [closed, open].map(({ client_id, redirect_uri }) => ({
    client_id,
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'none' as const,
  })),
);

for (const [id, domain] of [
  [first.id, 'first.example'],
  [second.id, 'second.example'],
] as const) {
  const { id: sso_domain } = await owner.call(organizationSsoApi.addDomain, { params: { id }, body: { domain } });
  await root.call(organizationSsoApi.confirmDomain, { params: { id, sso_domain } });
}

interface Attempt {
  readonly client?: ApiClient;
  readonly link?: boolean;
}

const begin = async (provider: number, { client = app.client(), link = false }: Attempt = {}) => {
  const { url } = await client.call(ssoSignInApi.begin, { params: { id: provider }, body: { link } });
  return { client, url };
};

const finish = async (client: ApiClient, provider: number, query: Record<string, string>) => {
  const { code = '', state = '' } = query;
  const response = await client.send(ssoSignInApi.finish, { params: { id: provider }, query: { code, state } });
  return response.headers.get(errorCodeHeader) ?? '';
};

/** Signs in at the provider. Returns the code of the error, if any. */
const enter = async (provider: number, subject: string, claims: ProviderClaims = {}, attempt: Attempt = {}) => {
  const { client, url } = await begin(provider, attempt);
  return { client, code: await finish(client, provider, await idp.signIn(url, subject, claims)) };
};

const idOf = async (client: ApiClient) => (await client.call(userApi.self)).id;
const verified = (email: string) => ({ email, email_verified: true });
const link = (provider: number, subject: string, client: ApiClient) =>
  enter(provider, subject, {}, { client, link: true });
const identitiesOf = (id: number) =>
  app.database.selectFrom('sso_identities').select('subject').where('user_id', '=', id).execute();

/** A member of the first organization whose account is not managed. */
const member = async (email?: string) => {
  const person = await signedInUser(email === undefined ? {} : { email });
  await join(first.id, person.user.id, 'member');
  return person;
};

describe('linking', () => {
  it('[A75.13] a sign-in that was not begun to link does not link the account of the caller', async () => {
    const victim = await member();
    expect((await enter(closed.id, 'thief', {}, { client: victim.client })).code).toBe('signInStateInvalid');
    expect(await identitiesOf(victim.user.id)).toEqual([]);
    expect((await link(closed.id, 'own', victim.client)).code).toBe('');
    expect((await enter(closed.id, 'own', {}, { client: victim.client })).code).toBe('');
    expect(await idOf((await enter(closed.id, 'own')).client)).toBe(victim.user.id);
  });

  it('[A75.13] a visitor cannot begin to link', async () => {
    const response = await app.client().send(ssoSignInApi.begin, { params: { id: closed.id }, body: { link: true } });
    expect(response.headers.get(errorCodeHeader)).toBe('notSignedIn');
  });
});

describe('removing a provider', () => {
  it('ends the sessions of the accounts that it signed in', async () => {
    const removed = await createProvider(first.id, 'removed', 'off');
    idp.serve([
      ...[closed, open, removed].map(({ client_id, redirect_uri }) => ({
        client_id,
        redirect_uris: [redirect_uri],
        token_endpoint_auth_method: 'none' as const,
      })),
    ]);
    const { client } = await member();
    expect((await link(removed.id, 'leaver', client)).code).toBe('');
    const entered = await enter(removed.id, 'leaver');
    const bystander = await member();
    await root.call(organizationSsoApi.removeProvider, { params: { id: first.id, sso_provider: removed.id } });
    expect((await entered.client.send(userApi.self)).status).toBe(401);
    expect((await bystander.client.send(userApi.self)).status).toBe(200);
  });
});

it('[A75.28] sessions end when a provider is disabled or SSO is no longer allowed', async () => {
  const { client } = await member();
  expect((await link(closed.id, 'stopped', client)).code).toBe('');
  const statusOf = async (browser: ApiClient) => (await browser.send(userApi.self)).status;
  const update = (is_enabled: boolean) =>
    root.call(organizationSsoApi.updateProvider, { params: { id: first.id }, body: { id: closed.id, is_enabled } });
  const disabled = await enter(closed.id, 'stopped');
  await update(false);
  expect(await statusOf(disabled.client)).toBe(401);
  await update(true);
  const forbidden = await enter(closed.id, 'stopped');
  await root.call(organizationApi.update, { body: { id: first.id, sso_allowed: false } });
  expect(await statusOf(forbidden.client)).toBe(401);
  await root.call(organizationApi.update, { body: { id: first.id, sso_allowed: true } });
});

describe('a former member whose account is not managed', () => {
  it('[A75.14] is neither signed in nor added again by the provider', async () => {
    const { user, client } = await member();
    await link(closed.id, 'left', client);
    await client.call(organizationMemberApi.leave, { params: { id: first.id } });
    expect(await identitiesOf(user.id)).toEqual([]);
    // As if linked by an older version.
    await app.database
      .insertInto('sso_identities')
      .values({ provider_id: closed.id, subject: 'left', user_id: user.id, created_time: 1 })
      .execute();
    expect((await enter(closed.id, 'left', { groups: ['readers'] })).code).toBe('ssoNoAccess');
    expect(await roleOf(first.id, user.id)).toBe(undefined);
  });

  it('[A75.15] is not added again by the address until an owner adds the user', async () => {
    const { user, client } = await signedInUser({ email: 'gone@second.example' });
    const claims = verified('gone@second.example');
    const sign = async () => (await enter(open.id, 'gone', claims)).code;
    expect(await sign()).toBe('');
    await client.call(ssoSignInApi.unlink, { params: { id: open.id } });
    await owner.call(organizationMemberApi.remove, { params: { id: second.id, user_id: user.id }, query: {} });
    expect(await sign()).toBe('ssoNoAccess');
    expect(await roleOf(second.id, user.id)).toBe(undefined);
    await join(second.id, user.id, 'member');
    expect(await sign()).toBe('');
  });
});

describe('an address at a verified domain', () => {
  it("[A75.15] adds no account while joining is off, but signs in to a member's account", async () => {
    const { user } = await signedInUser({ email: 'known@first.example' });
    expect((await enter(closed.id, 'known', verified('known@first.example'))).code).toBe('ssoNotInvited');
    expect(await roleOf(first.id, user.id)).toBe(undefined);
    const other = await member('member@first.example');
    const { client, code } = await enter(closed.id, 'member', verified('member@first.example'));
    expect(code).toBe('');
    expect(await idOf(client)).toBe(other.user.id);
    const linked = app.database.selectFrom('logs').select('content').where('user_id', '=', other.user.id);
    expect(await linked.where('content', 'like', '%linked%').execute()).toHaveLength(1);
  });

  it('[A75.18] creates no new account for a banned user', async () => {
    const { user } = await signedInUser({ email: 'banned@second.example' });
    await app.database.updateTable('users').set({ status: userStatus.disabled }).where('id', '=', user.id).execute();
    expect((await enter(open.id, 'banned', verified('banned@second.example'))).code).toBe('userBanned');
  });

  it('[A75.18] links no account to a provider whose claims give no role', async () => {
    const { user } = await signedInUser({ email: 'roleless@second.example' });
    const claims = { ...verified('roleless@second.example'), groups: ['others'] };
    expect((await enter(open.id, 'roleless', claims)).code).toBe('ssoNoAccess');
    expect(await identitiesOf(user.id)).toEqual([]);
    expect((await enter(open.id, 'nobody', { preferred_username: 'nobody', groups: ['others'] })).code).toBe(
      'ssoNoAccess',
    );
    const made = app.database.selectFrom('users').select('id').where('username', '=', 'nobody');
    expect(await made.execute()).toEqual([]);
  });
});

it("[A75.25] a username signs in to a directory user's account only if usernames are trusted", async () => {
  const created = await first.scim('POST', '/Users', { userName: 'boss@first.example', externalId: 'boss-id' });
  const { id } = await accountOf(created.body.id);
  const claims = { preferred_username: 'boss@first.example' };
  expect((await enter(closed.id, 'renamed', claims)).code).toBe('ssoNotInvited');
  const body = { id: closed.id, trusts_usernames: true };
  await root.call(organizationSsoApi.updateProvider, { params: { id: first.id }, body });
  expect(await idOf((await enter(closed.id, 'boss', claims)).client)).toBe(id);
});

it('[A75.16] an account that one organization manages is closed to the providers of others', async () => {
  const { client } = await enter(open.id, 'managed');
  const id = await idOf(client);
  await join(first.id, id, 'member');
  expect((await link(closed.id, 'foreign', client)).code).toBe('ssoNotLinked');
  await app.database
    .insertInto('sso_identities')
    .values({ provider_id: closed.id, subject: 'foreign', user_id: id, created_time: 1 })
    .execute();
  expect((await enter(closed.id, 'foreign')).code).toBe('ssoNotLinked');
});

it('[A75.17] an update with the same issuer allows no private addresses', async () => {
  const body = { name: 'public', issuer: 'https://idp.example', client_id: 'x' };
  const params = { id: first.id };
  const { id } = await owner.call(organizationSsoApi.createProvider, { params, body });
  const isPrivateAllowed = async () =>
    app.database
      .selectFrom('sso_providers')
      .select('is_private_allowed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  await root.call(organizationSsoApi.updateProvider, { params, body: { id, issuer: 'https://idp.example/' } });
  expect(await isPrivateAllowed()).toEqual({ is_private_allowed: 0 });
  await root.call(organizationSsoApi.updateProvider, { params, body: { id, issuer: 'http://10.0.0.1' } });
  expect(await isPrivateAllowed()).toEqual({ is_private_allowed: 1 });
});

it('[A75.23] a provider that changes during the sign-in signs in to no account', async () => {
  const person = await member();
  await link(closed.id, 'raced', person.client);
  const { client, url } = await begin(closed.id);
  const query = await idp.signIn(url, 'raced');
  const setClient = (client_id: string) =>
    app.database.updateTable('sso_providers').set({ client_id }).where('id', '=', closed.id).execute();
  idp.beforeClaims = async () => void (await setClient('changed'));
  expect(await finish(client, closed.id, query)).toBe('ssoProviderOff');
  idp.beforeClaims = async () => undefined;
  await setClient('closed');
});

it('[A75.19] a subject with white space around it is rejected', async () => {
  await enter(open.id, 'spaced');
  expect((await enter(open.id, ' spaced')).code).toBe('providerUnreadable');
});

it('[A75.20] a closed account is unlinked', async () => {
  const { user, client } = await member();
  await link(closed.id, 'closing', client);
  await client.call(userApi.removeSelf);
  expect(await identitiesOf(user.id)).toEqual([]);
});

it('[A75.21] accounts of an organization earn nothing by checking in', async () => {
  const { client } = await enter(open.id, 'farmer');
  expect(await client.call(checkInApi.read)).toMatchObject({ enabled: false });
  expect((await client.send(checkInApi.run, { query: {} })).headers.get(errorCodeHeader)).toBe('checkInOff');
});
