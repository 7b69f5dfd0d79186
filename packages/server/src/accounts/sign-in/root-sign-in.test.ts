import {
  type LoginProviderName,
  loginProviders,
  oauthApi,
  registrationApi,
  role,
  secondFactorApi,
  sessionApi,
  userApi,
} from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import {
  newProviderUser,
  providerIssuers,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const { app, come, providers } = await useLoginProviderFixture({
  options: { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' },
});
const { signedInUser, rowOf, logsOf } = accountsOf(app);
const names = Object.keys(loginProviders) as LoginProviderName[];
const idOf = (provider: LoginProviderName, id: number) =>
  ({ github: String(id), lark: `ou_${id}`, oidc: `sub-${id}`, wechat: `wx-${id}` })[provider];

const closed = apiFailure(/^The super admin must log in with the password or a passkey/);
const allow = (client: Awaited<ReturnType<typeof signedInUser>>['client'], isAllowed: boolean) =>
  client.send(oauthApi.allowElsewhere, { body: { isAllowed } });

describe.each(names)('[A12.4] provider account at %s', (provider) => {
  test('a provider account signs in to the super admin’s account only while root allows it', async () => {
    const person = newProviderUser();
    const identity = { [loginProviders[provider].identity]: idOf(provider, person.id), ...providerIssuers(providers) };
    const { user, client } = await signedInUser({ role: role.root, ...identity });
    const visitor = app.client();
    expect((await come(visitor, provider, person)).body).toEqual(closed);
    expect((await visitor.send(userApi.self)).status).toBe(401);
    expect(await client.call(oauthApi.elsewhere)).toEqual({ isAllowed: false });
    expect((await allow(client, true)).body).toEqual(apiSuccess);
    expect(await client.call(oauthApi.elsewhere)).toEqual({ isAllowed: true });
    expect((await come(app.client(), provider, person)).body).toMatchObject({ data: { id: user.id } });
    expect((await allow(client, false)).body).toEqual(apiSuccess);
    expect((await come(app.client(), provider, person)).body).toEqual(closed);
    expect((await logsOf(user.id)).map(({ content }) => content)).toEqual([
      `${user.username} allowed email and login providers for the super admin account`,
      `${user.username} no longer allows email and login providers for the super admin account`,
    ]);
  });

  test('a provider account signs in to any other account', async () => {
    const person = newProviderUser();
    const identity = { [loginProviders[provider].identity]: idOf(provider, person.id), ...providerIssuers(providers) };
    const user = await app.createUser({ role: role.admin, ...identity });
    expect((await come(app.client(), provider, person)).body).toMatchObject({ data: { id: user.id } });
  });
});

describe('[A12.3] the super admin’s email address', () => {
  const send = (email: string) => app.client().send(registrationApi.requestReset, { query: { email } });
  const tokenIn = (text: string) => new URL(/^https?:\S+$/m.exec(text)?.[0] ?? 'none:').searchParams.get('token') ?? '';
  const reset = (email: string, token: string) => app.client().send(registrationApi.reset, { body: { email, token } });

  test('the super admin’s email address gets a reset link only while root allows it; otherwise the response is the same as for an unknown address', async () => {
    const email = 'owner@example.com';
    const { user, client } = await signedInUser({ role: role.root, email });
    expect((await send(email)).body).toEqual(apiSuccess);
    await app.createUser({ email: 'after@example.com' });
    expect((await send('after@example.com')).body).toEqual(apiSuccess);
    await box.mailTo('after@example.com');
    expect(box.mails.filter(({ to }) => to.includes(email))).toEqual([]);
    await allow(client, true);
    await app.database.deleteFrom('codes').execute();
    expect((await send(email)).body).toEqual(apiSuccess);
    const { body } = await reset(email, tokenIn((await box.mailTo(email)).text));
    expect(body).toMatchObject({ success: true });
    expect((await rowOf(user.id)).password_hash).not.toBe(user.password_hash);
  });

  test('a link sent before root withdrew the permission cannot reset the super admin’s password', async () => {
    const email = 'owner2@example.com';
    const { user, client } = await signedInUser({ role: role.root, email });
    await allow(client, true);
    await send(email);
    const token = tokenIn((await box.mailTo(email)).text);
    await allow(client, false);
    expect((await reset(email, token)).body).toEqual(apiFailure('The reset link is not valid or has expired'));
    expect((await rowOf(user.id)).password_hash).toBe(user.password_hash);
  });
});

describe('[A12.1] admin', () => {
  test('an admin cannot allow provider sign-in for root or for themselves, nor remove root’s second factor', async () => {
    const { user: root } = await signedInUser({ role: role.root, second_factor: 0 });
    const { client: admin } = await signedInUser({ role: role.admin });
    expect((await allow(admin, true)).status).toBe(403);
    expect((await admin.send(oauthApi.elsewhere)).status).toBe(403);
    const extra = { id: root.id, sign_in_elsewhere: 1, display_name: 'Owned' };
    expect((await admin.send(userApi.update, { body: extra })).body).toMatchObject({ success: false });
    expect((await admin.send(secondFactorApi.reset, { params: { id: root.id } })).body).toMatchObject({
      success: false,
    });
    expect(await rowOf(root.id)).toMatchObject({ sign_in_elsewhere: 0, display_name: '' });
  });

  test('[A18.2] an admin cannot lock root out with an option: root’s password works even while password login is disabled', async () => {
    await using other = await startTestApp({ options: { PasswordLoginEnabled: 'false' } });
    const root = await other.createUser({ role: role.root });
    const admin = await other.createUser({ role: role.admin });
    const login = async (username: string, password: string) =>
      (await other.client().send(sessionApi.login, { body: { username, password } })).body;
    expect(await login(root.username, root.password)).toMatchObject({ data: { id: root.id } });
    const off = apiFailure('Password login is turned off');
    // The response does not reveal which name or address belongs to the super admin.
    expect(await login(root.username, 'not the password')).toEqual(off);
    expect(await login(admin.username, admin.password)).toEqual(off);
    expect(await login('nobody', 'at all, at all')).toEqual(off);
  });
});
