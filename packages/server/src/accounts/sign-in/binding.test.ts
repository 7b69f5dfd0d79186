import {
  type Binding,
  type LoginProviderName,
  loginProviders,
  oauthApi,
  registrationApi,
  userApi,
} from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const { app, come, providers } = await useLoginProviderFixture({
  options: { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' },
});
const { signedInUser, rowOf, logsOf } = accountsOf(app);
const names = Object.keys(loginProviders) as LoginProviderName[];
const idOf = (provider: LoginProviderName, id: number) =>
  ({ github: String(id), lark: `ou_${id}`, oidc: `sub-${id}`, wechat: `wx-${id}` })[provider];

type Client = Awaited<ReturnType<typeof signedInUser>>['client'];
type Person = ReturnType<typeof newProviderUser>;

const bind = async (client: Client, provider: LoginProviderName, person: Person) => {
  if (provider !== 'wechat') return come(client, provider, person);
  const code = `bind-${person.id}-${providers.wechatCodes.size}`;
  providers.wechatCodes.set(code, `wx-${person.id}`);
  return client.send(oauthApi.bindWechat, { query: { code } });
};
const bound = (provider: LoginProviderName) =>
  provider === 'wechat' ? apiSuccess : { success: true, message: 'bind' };
const unbind = (client: Client, binding: Binding | string) => client.send(oauthApi.unbind, { params: { binding } });

describe.each(names)('[S7.15 S7.16 S7.18] %s account', (provider) => {
  const { identity, label } = loginProviders[provider];

  test('a provider account signs in after it was bound to the signed-in user', async () => {
    const { user, client } = await signedInUser();
    const person = newProviderUser();
    const cookie = client.cookies.get('headgate_session');
    expect((await bind(client, provider, person)).body).toEqual(bound(provider));
    expect(await rowOf(user.id)).toMatchObject({ [identity]: idOf(provider, person.id) });
    expect(client.cookies.get('headgate_session')).toBe(cookie);
    expect((await logsOf(user.id)).map(({ content }) => content)).toEqual([`${user.username} bound ${label}`]);
    expect((await come(app.client(), provider, person)).body).toMatchObject({ data: { id: user.id } });
  });

  test('a provider account can be bound again, or replaced by another account', async () => {
    const { user, client } = await signedInUser();
    const [first, second] = [newProviderUser(), newProviderUser()];
    for (const person of [first, first, second]) {
      expect((await bind(client, provider, person)).body).toEqual(bound(provider));
    }
    expect(await rowOf(user.id)).toMatchObject({ [identity]: idOf(provider, second.id) });
  });

  test('a provider account cannot be bound to a second user, in both languages', async () => {
    const person = newProviderUser();
    const { user: owner, client } = await signedInUser();
    await bind(client, provider, person);
    const { user: other, client: second } = await signedInUser();
    expect((await bind(second, provider, person)).body).toEqual(
      apiFailure(`This ${label} account is already bound to another user`),
    );
    second.headers['accept-language'] = 'zh';
    expect((await bind(second, provider, person)).body).toEqual(apiFailure(/^该 .+ 账户已被绑定$/));
    expect(await rowOf(other.id)).toMatchObject({ [identity]: null });
    expect(await rowOf(owner.id)).toMatchObject({ [identity]: idOf(provider, person.id) });
  });

  test('an unbound provider account no longer signs in and can be bound to another user', async () => {
    const person = newProviderUser();
    const { user, client } = await signedInUser();
    await bind(client, provider, person);
    expect((await unbind(client, provider)).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ [identity]: null });
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} unbound ${label}`);
    const { user: other, client: second } = await signedInUser();
    expect((await bind(second, provider, person)).body).toEqual(bound(provider));
    expect((await come(app.client(), provider, person)).body).toMatchObject({ data: { id: other.id } });
  });

  test('a provider account cannot be unbound when it is the only sign-in method', async () => {
    const client = app.client();
    const { data } = (await come(client, provider, newProviderUser())).body as { data: { id: number } };
    expect((await unbind(client, provider)).body).toEqual(apiFailure(/only way to log in to your account/));
    await app.database
      .updateTable('users')
      .set({ email: `way-${data.id}@example.com` })
      .where('id', '=', data.id)
      .execute();
    expect((await unbind(client, provider)).body).toEqual(apiFailure(/only way to log in to your account/));
    await client.call(userApi.updateSelf, { body: { password: 'a new password' } });
    expect((await unbind(client, provider)).body).toEqual(apiSuccess);
  });

  test('a provider account cannot be unbound when it is not bound', async () => {
    const { client } = await signedInUser();
    expect((await unbind(client, provider)).body).toEqual(
      apiFailure('No account of this kind is bound to your account'),
    );
  });
});

test('only one of two provider accounts can be unbound, even with concurrent requests', async () => {
  const client = app.client();
  const person = newProviderUser();
  await come(client, 'github', person);
  await bind(client, 'lark', person);
  const responses = await Promise.all([unbind(client, 'github'), unbind(client, 'lark')]);
  expect(responses.map(({ body }) => (body as { success: boolean }).success).sort()).toEqual([false, true]);
});

test.each(['password', 'username', '__proto__', 'id'])('rejects %j as a binding', async (binding) => {
  const { client } = await signedInUser();
  expect((await unbind(client, binding)).status).toBe(400);
});

describe('[S7.19] email address', () => {
  const codeFor = async (client: Client, email: string) => {
    expect((await client.send(registrationApi.sendCode, { query: { email } })).body).toEqual(apiSuccess);
    return /^[A-Z0-9]{6}$/m.exec((await box.mailTo(email)).text)?.[0] ?? 'none';
  };
  const bindEmail = (client: Client, email: string, code: string) =>
    client.send(oauthApi.bindEmail, { query: { email, code } });
  const wrongCode = apiFailure('The verification code is wrong or has expired');

  test('an email address is bound with the emailed code, once', async () => {
    const { user, client } = await signedInUser();
    const code = await codeFor(client, 'bind1@example.com');
    expect((await bindEmail(client, 'Bind1@Example.com', code.toLowerCase())).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ email: 'bind1@example.com' });
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} bound email`);
    const { user: other, client: second } = await signedInUser();
    expect((await bindEmail(second, 'bind1@example.com', code)).body).toEqual(wrongCode);
    expect(await rowOf(other.id)).toMatchObject({ email: null });
  });

  test('an email address is not bound with a wrong code, with a code sent to another address, or after five attempts', async () => {
    const { user, client } = await signedInUser();
    const code = await codeFor(client, 'bind2@example.com');
    expect((await bindEmail(client, 'bind3@example.com', code)).body).toEqual(wrongCode);
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await bindEmail(client, 'bind2@example.com', `WRONG${guess}`)).body).toEqual(wrongCode);
    }
    expect((await bindEmail(client, 'bind2@example.com', code)).body).toEqual(wrongCode);
    expect(await rowOf(user.id)).toMatchObject({ email: null });
  });

  test('an email address is not bound if it belongs to another user, even with the correct code', async () => {
    const { user, client } = await signedInUser();
    const code = await codeFor(client, 'bind4@example.com');
    await app.createUser({ email: 'bind4@example.com' });
    expect((await bindEmail(client, 'bind4@example.com', code)).body).toEqual(
      apiFailure('This email address is taken'),
    );
    expect(await rowOf(user.id)).toMatchObject({ email: null });
  });

  test.each([
    ['no address', { email: '', code: 'ABCDEF' }],
    ['two addresses', { email: 'a@evil.example,b@example.com', code: 'ABCDEF' }],
    ['no code', { email: 'bind5@example.com', code: ' ' }],
  ])('an email binding with %s is rejected as malformed', async (_, query) => {
    const { client } = await signedInUser();
    expect((await client.send(oauthApi.bindEmail, { query })).status).toBe(400);
  });

  test('an email address can be unbound from an account with a password', async () => {
    const { user, client } = await signedInUser({ email: 'gone@example.com' });
    expect((await unbind(client, 'email')).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ email: null });
  });
});
