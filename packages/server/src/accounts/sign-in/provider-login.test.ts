import {
  type LoginProviderName,
  loginProviders,
  oauthApi,
  role,
  sessionApi,
  tokenApi,
  userApi,
  userStatus,
} from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import {
  newProviderUser,
  providerIssuers,
  providerOptions,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const scene = await useLoginProviderFixture({
  options: { QuotaForNewUser: '500', QuotaForInvitee: '20', QuotaForInviter: '10' },
});
const { app, come, visit, providers } = scene;
const { rowNamed, rowOf, logsOf, signedInUser } = accountsOf(app);
const names = Object.keys(loginProviders) as LoginProviderName[];
const storedId: Readonly<Record<LoginProviderName, (id: number) => string>> = {
  github: String,
  lark: (id) => `ou_${id}`,
  oidc: (id) => `sub-${id}`,
  wechat: (id) => `wx-${id}`,
};

describe('[S7.14] sign-in state', () => {
  test('returns a string, and the URL of the authorization page if a provider is given', async () => {
    const { body } = await app.client().send(oauthApi.state, { query: { provider: 'github' } });
    const { data, url } = body as { data: string; url: string };
    expect(data).toMatch(/^[\w-]{32}$/);
    const page = new URL(url);
    expect(page.origin + page.pathname).toBe(`${providers.url}/login/oauth/authorize`);
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: 'client-of-gateway',
      state: data,
      scope: 'read:user',
    });
  });

  test('the state for Lark and OpenID Connect redirects back to the configured address, never to the request’s Host', async () => {
    for (const provider of ['lark', 'oidc'] as const) {
      const { body } = await app.client().send(oauthApi.state, {
        query: { provider },
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      });
      const { searchParams } = new URL((body as { url: string }).url);
      expect(searchParams.get('redirect_uri')).toBe(`https://gate.example/oauth/${provider}`);
      expect(searchParams.get('response_type')).toBe('code');
    }
  });

  test('a state can be requested without a provider, as in the specification, and then works for GitHub', async () => {
    const client = app.client();
    const { body } = await client.send(oauthApi.state);
    expect(body).toEqual({ success: true, message: '', data: expect.stringMatching(/^[\w-]{32}$/) });
    const query = { code: providers.grant(newProviderUser()), state: (body as { data: string }).data };
    expect((await client.send(oauthApi.github, { query })).body).toMatchObject({ success: true, message: '' });
  });

  test.each(['gitlab', 'wechat', '__proto__', ''])(
    'a state for the provider %j is rejected as malformed',
    async (provider) => {
      expect((await app.client().send(oauthApi.state, { query: { provider } })).status).toBe(400);
    },
  );

  test('stores the state hashed, with its data encrypted', async () => {
    const client = app.client();
    const { state } = await visit(client, 'oidc', newProviderUser());
    const rows = await app.database.selectFrom('tickets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(state);
    expect(JSON.stringify(rows)).not.toContain('verifier');
    expect(JSON.stringify(rows)).not.toContain(client.cookies.get('headgate_browser'));
  });
});

describe.each(names)('%s login', (provider) => {
  const { identity, label } = loginProviders[provider];

  test('creates an account for a new user and signs in', async () => {
    const client = app.client();
    const person = newProviderUser();
    const { status, body } = await come(client, provider, person);
    expect(status).toBe(200);
    const { data } = body as { data: { id: number; username: string } };
    expect(body).toEqual({
      success: true,
      message: '',
      data: { ...data, display_name: expect.any(String), role: role.common, status: userStatus.enabled },
    });
    expect(data.username).toMatch(provider === 'wechat' ? /^wechat_\d{5}$/ : new RegExp(`^${person.login}$`));
    const row = await rowOf(data.id);
    expect(row).toMatchObject({ [identity]: storedId[provider](person.id), password_hash: null, email: null });
    expect(row).toMatchObject({ quota: 500, group: 'default' });
    expect(await client.call(userApi.self)).toMatchObject({ id: data.id });
    const { rows } = await client.page(tokenApi.list, { query: {} });
    expect(rows).toMatchObject([{ name: 'default', unlimited_quota: true, expired_time: -1 }]);
    expect((await logsOf(data.id)).map(({ content }) => content)).toContain(
      `${data.username} registered with ${label}`,
    );
  });

  test('signs in the same user again after a name change at the provider', async () => {
    const person = newProviderUser();
    const first = (await come(app.client(), provider, person)).body as { data: { id: number } };
    const again = await come(app.client(), provider, { ...person, login: 'renamed', name: 'Other' });
    expect(again.body).toMatchObject({ success: true, data: { id: first.data.id } });
  });

  test('does not mistake a reassigned login name for the original user', async () => {
    const first = newProviderUser({ login: `same-${provider}` });
    const second = newProviderUser({ login: `same-${provider}` });
    const one = (await come(app.client(), provider, first)).body as { data: { id: number } };
    const other = (await come(app.client(), provider, second)).body as { data: { id: number; username: string } };
    expect(other.data.id).not.toBe(one.data.id);
    expect(other.data.username.length).toBeLessThanOrEqual(12);
  });

  test('rejects a banned user with the reason', async () => {
    const person = newProviderUser();
    const { data } = (await come(app.client(), provider, person)).body as { data: { id: number } };
    await app.database.updateTable('users').set({ status: userStatus.disabled }).where('id', '=', data.id).execute();
    const client = app.client();
    expect((await come(client, provider, person)).body).toEqual(apiFailure('This user is banned'));
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test('creates a new account after the old one was deleted', async () => {
    const person = newProviderUser();
    const client = app.client();
    const { data } = (await come(client, provider, person)).body as { data: { id: number } };
    await client.call(userApi.removeSelf);
    const again = (await come(app.client(), provider, person)).body as { data: { id: number } };
    expect(again).toMatchObject({ success: true });
    expect(again.data.id).not.toBe(data.id);
  });

  test('creates one account from two concurrent windows', async () => {
    const person = newProviderUser();
    const responses = await Promise.all([1, 2, 3, 4].map(() => come(app.client(), provider, person)));
    const ids = responses.map(({ body }) => (body as { data?: { id: number } }).data?.id);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeTypeOf('number');
  });

  test('is rejected while disabled, in both languages', async () => {
    await using other = await startTestApp();
    for (const [language, message] of [
      ['en', `Login with ${label} is turned off`],
      ['zh', /^管理员未开启通过 .+ 登录以及注册$/],
    ] as const) {
      const { body } = await other.client().send(oauthApi[provider], {
        query: { code: 'x', state: 'y' },
        headers: { 'accept-language': language },
      });
      expect(body).toEqual(apiFailure(message));
    }
  });
});

describe('new user', () => {
  test('a new user cannot register through a provider while registration is disabled, but existing users can sign in', async () => {
    await using closed = await startTestApp({
      config: { providerUrls: { github: providers.url, lark: providers.url } },
      options: { ...providerOptions(providers), RegisterEnabled: 'false' },
    });
    const known = newProviderUser();
    const { id } = await closed.createUser({ wechat_id: `wx-${known.id}`, ...providerIssuers(providers) });
    providers.wechatCodes.set('known', `wx-${known.id}`).set('unknown', 'wx-nobody');
    const client = closed.client();
    expect((await client.send(oauthApi.wechat, { query: { code: 'unknown' } })).body).toEqual(
      apiFailure('Registration is turned off'),
    );
    expect((await client.send(oauthApi.wechat, { query: { code: 'known' } })).body).toMatchObject({ data: { id } });
    expect(await closed.database.selectFrom('users').select('id').execute()).toHaveLength(2);
  });

  test('a new user can register through a provider while password registration is disabled', async () => {
    await using closed = await startTestApp({
      config: { providerUrls: { github: providers.url } },
      options: { ...providerOptions(providers), PasswordRegisterEnabled: 'false' },
    });
    providers.wechatCodes.set('elsewhere', 'wx-elsewhere');
    const { body } = await closed.client().send(oauthApi.wechat, { query: { code: 'elsewhere' } });
    expect(body).toMatchObject({ success: true });
  });

  test('a new user is credited to the inviter', async () => {
    const { user, client } = await signedInUser();
    const code = await client.call(userApi.inviteCode);
    const guest = app.client();
    const query = { ...(await visit(guest, 'github', newProviderUser())), aff_code: code };
    const { data } = (await guest.send(oauthApi.github, { query })).body as { data: { id: number } };
    expect(await rowOf(data.id)).toMatchObject({ inviter_id: user.id, quota: 520 });
    expect(await rowOf(user.id)).toMatchObject({ quota: 10 });
  });

  test.each([
    ['a very long login', { login: 'x'.repeat(39) }, /^x{12}$/],
    ['a login with special characters', { login: 'a b\u0000<c>@d' }, /^abcd$/],
    ['a login without usable characters', { login: '😀 ' }, /^github_\d{5}$/],
    ['the login "root"', { login: 'root' }, /^root\d{2}$/],
  ])('a new user from a provider gets a generated username from %s', async (_, given, expected) => {
    const { body } = await come(app.client(), 'github', newProviderUser(given));
    expect((body as { data: { username: string } }).data.username).toMatch(expected);
  });

  test('the display name of a new user from a provider is truncated to the allowed length', async () => {
    const { body } = await come(app.client(), 'github', newProviderUser({ name: `\u0007${'😀'.repeat(30)}` }));
    expect(body).toMatchObject({ data: { display_name: '😀'.repeat(10) } });
  });

  test('a new user from a provider cannot log in with a password', async () => {
    const person = newProviderUser();
    await come(app.client(), 'github', person);
    expect(await rowNamed(person.login)).toMatchObject({ password_hash: null });
    const body = { username: person.login, password: 'anything' };
    expect((await app.client().send(sessionApi.login, { body })).body).toEqual(apiFailure(/^Wrong username/));
  });
});
