import { oauthApi, sessionApi, userApi } from '@headgate/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Attack 19: limits on provider callbacks. */
const { app, visit, come, providers } = await useLoginProviderFixture();
const { signedInUser, rowOf } = accountsOf(app);
const foreign = apiFailure(/^This login was not started in this browser/);

afterEach(() => void vi.useRealTimers());

const isVisitor = async (client: ReturnType<typeof app.client>) => (await client.send(userApi.self)).status === 401;

describe.each(['github', 'lark', 'oidc'] as const)('%s callback', (provider) => {
  test.each([
    ['without a state', ''],
    ['with a made-up state', 'A'.repeat(32)],
    ['with SQL as the state', "' or 1=1 --"],
  ])('a callback %s does not sign in and sends no request', async (_, state) => {
    const client = app.client();
    await visit(client, provider, newProviderUser());
    const before = providers.calls.length;
    const response = await client.send(oauthApi[provider], {
      query: { code: providers.grant(newProviderUser()), state },
    });
    expect(response.status).toBe(403);
    expect(response.body).toEqual(foreign);
    expect(providers.calls).toHaveLength(before);
    expect(await isVisitor(client)).toBe(true);
  });

  test('[A19.1] a callback works once', async () => {
    const client = app.client();
    const query = await visit(client, provider, newProviderUser());
    expect((await client.send(oauthApi[provider], { query })).body).toMatchObject({ success: true });
    const other = app.client();
    other.cookies.set('headgate_browser', client.cookies.get('headgate_browser') ?? '');
    const again = { ...query, code: providers.grant(newProviderUser()) };
    expect((await other.send(oauthApi[provider], { query: again })).status).toBe(403);
    expect(await isVisitor(other)).toBe(true);
  });

  test('one of many concurrent callbacks succeeds', async () => {
    const client = app.client();
    const query = await visit(client, provider, newProviderUser());
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => client.send(oauthApi[provider], { query })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('[A19.1] a callback from another browser does not sign in, and stays valid for its owner', async () => {
    const owner = app.client();
    const query = await visit(owner, provider, newProviderUser());
    const thief = app.client();
    expect((await thief.send(oauthApi[provider], { query })).status).toBe(403);
    await thief.send(oauthApi.state, { query: { provider } });
    expect((await thief.send(oauthApi[provider], { query })).status).toBe(403);
    expect(await isVisitor(thief)).toBe(true);
    expect((await owner.send(oauthApi[provider], { query })).status).toBe(200);
  });

  test('[A19.2] a callback prepared by an attacker binds nothing to the victim who opens it', async () => {
    const attacker = app.client();
    const query = await visit(attacker, provider, newProviderUser());
    const { user, client: victim } = await signedInUser();
    expect((await victim.send(oauthApi[provider], { query })).status).toBe(403);
    expect(await rowOf(user.id)).toMatchObject({ github_id: null, lark_id: null, oidc_id: null });
  });

  test('[A19.2] a callback started as a visitor does not bind, and one started by a user does not bind to another user', async () => {
    const { user, client } = await signedInUser();
    const other = await app.createUser();
    const query = await visit(client, provider, newProviderUser());
    await client.call(sessionApi.logout);
    expect((await client.send(oauthApi[provider], { query })).status).toBe(403);
    const asVisitor = await visit(client, provider, newProviderUser());
    await client.call(sessionApi.login, { body: { username: other.username, password: other.password } });
    expect((await client.send(oauthApi[provider], { query: asVisitor })).status).toBe(403);
    expect(await rowOf(user.id)).toMatchObject({ github_id: null, lark_id: null, oidc_id: null });
    expect(await rowOf(other.id)).toMatchObject({ github_id: null, lark_id: null, oidc_id: null });
  });

  test('a callback expires after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const client = app.client();
    const query = await visit(client, provider, newProviderUser());
    vi.setSystemTime(Date.now() + 601_000);
    expect((await client.send(oauthApi[provider], { query })).status).toBe(403);
  });

  test('a callback from another site is rejected', async () => {
    const client = app.client();
    const query = await visit(client, provider, newProviderUser());
    const response = await client.send(oauthApi[provider], { query, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(response.body).toEqual(apiFailure('Requests from other sites are rejected'));
    expect((await client.send(oauthApi[provider], { query })).status).toBe(200);
  });

  test('a callback ends a previously planted session', async () => {
    const { client: attacker } = await signedInUser();
    const planted = attacker.cookies.get('headgate_session') ?? '';
    await attacker.call(sessionApi.logout);
    const victim = app.client();
    victim.cookies.set('headgate_session', planted);
    expect((await come(victim, provider, newProviderUser())).status).toBe(200);
    expect(victim.cookies.get('headgate_session')).not.toBe(planted);
    attacker.cookies.set('headgate_session', planted);
    expect(await isVisitor(attacker)).toBe(true);
  });
});

test('a state for one provider does not work for another', async () => {
  const client = app.client();
  const { state } = await visit(client, 'lark', newProviderUser());
  const query = { code: providers.grant(newProviderUser()), state };
  expect((await client.send(oauthApi.github, { query })).status).toBe(403);
});

test('the browser cookie is limited to the API and inaccessible to scripts', async () => {
  const { headers } = await app.client().send(oauthApi.state);
  const [cookie = '', ...others] = headers.getSetCookie();
  expect(others).toEqual([]);
  const [pair, ...attributes] = cookie.split('; ');
  expect(pair).toMatch(/^headgate_browser=[\w-]{43}$/);
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=3600', 'Path=/api', 'SameSite=Lax']);
});

describe('[S7.17] WeChat code', () => {
  const wrong = apiFailure('The verification code is wrong or has expired');
  const send = (code: string, headers = {}) => app.client().send(oauthApi.wechat, { query: { code }, headers });

  test('[A19.3] a code signs in once, although the WeChat server accepts it for three minutes', async () => {
    providers.wechatCodes.set('A1&b=c#', 'wx-once');
    expect((await send('A1&b=c#')).body).toMatchObject({ success: true });
    expect(providers.calls.at(-1)).toMatchObject({ query: { code: 'A1&b=c#' } });
    expect((await send('A1&b=c#')).body).toEqual(wrong);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 180_000);
    expect((await send('A1&b=c#')).body).toEqual(wrong);
  });

  test('an unknown code, or one with an empty owner, does not sign in', async () => {
    providers.wechatCodes.set('empty', '');
    for (const code of ['unknown', 'empty']) expect((await send(code)).body).toEqual(wrong);
  });

  test('a code from another site is rejected', async () => {
    providers.wechatCodes.set('csrf', 'wx-csrf');
    expect((await send('csrf', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send('csrf', { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('codes are rate limited by address, to prevent guessing', async () => {
    const { rateLimits } = readConfig({});
    await using limited = await startTestApp({
      config: { rateLimits },
      options: { WeChatAuthEnabled: 'true', WeChatServerAddress: providers.url, WeChatServerToken: 'x' },
    });
    const client = limited.client();
    const statuses: number[] = [];
    for (let guess = 0; guess < 22; guess += 1) {
      statuses.push((await client.send(oauthApi.wechat, { query: { code: `guess${guess}` } })).status);
    }
    expect(statuses).toEqual([...new Array(20).fill(200), 429, 429]);
  });
});
