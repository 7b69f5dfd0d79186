import { registrationApi, sessionApi, tokenApi, tokenStatus, userApi, userStatus } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const mailOptions = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' };
const app = await useTestApp({ options: { ...mailOptions, ServerAddress: 'https://gateway.example/base/' } });
const { logsOf } = accountsOf(app);

const send = (email: string, headers: Record<string, string> = {}) =>
  app.client().send(registrationApi.requestReset, { query: { email }, headers });
const reset = (email: string, token: string) => app.client().send(registrationApi.reset, { body: { email, token } });
const invalid = apiFailure('The reset link is not valid or has expired');

async function linkFor(email: string, headers: Record<string, string> = {}): Promise<URL> {
  expect((await send(email, headers)).body).toEqual(apiSuccess);
  const { text } = await box.mailTo(email);
  return new URL(/^https?:\S+$/m.exec(text)?.[0] ?? 'none:');
}

const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';

describe('[S7.12 S7.13] password reset link', () => {
  test('sets a new password once and ends the user’s sessions and access token', async () => {
    const user = await app.createUser({ email: 'ada@example.com' });
    const session = await app.signedIn(user.username, user.password);
    await session.call(userApi.makeAccessToken);
    const link = await linkFor('ada@example.com');
    expect(link.origin + link.pathname).toBe('https://gateway.example/base/user/reset');
    expect(link.searchParams.get('email')).toBe('ada@example.com');
    const response = await reset('Ada@Example.com', tokenOf(link));
    const { data } = response.body as { data: string };
    expect(response.body).toEqual({ ...apiSuccess, data: expect.stringMatching(/^[A-Za-z0-9]{16}$/) });
    expect((await session.send(userApi.self)).status).toBe(401);
    await app.signedIn('ADA@example.com', data);
    const old = { username: user.username, password: user.password };
    expect((await app.client().send(sessionApi.login, { body: old })).body).toMatchObject({ success: false });
    const row = app.database.selectFrom('users').select('access_token_hash').where('id', '=', user.id);
    expect(await row.executeTakeFirst()).toEqual({ access_token_hash: null });
    expect(await logsOf(user.id)).toMatchObject([
      { content: `${user.username} created a new system access token` },
      { content: `${user.username} set a new password through an email link` },
    ]);
    expect((await reset('ada@example.com', tokenOf(link))).body).toEqual(invalid);
    await app.signedIn(user.username, data);
  });

  test('[A67.7] leaves API tokens enabled, and the email says so', async () => {
    const user = await app.createUser({ email: 'tokens@example.com' });
    const session = await app.signedIn(user.username, user.password);
    const { id } = await session.call(tokenApi.create, { body: { name: 'production', unlimited_quota: true } });
    const link = await linkFor('tokens@example.com');
    expect((await box.mailTo('tokens@example.com')).text).toContain(
      'Your API tokens keep working. If they may have leaked, disable them on the Tokens page.',
    );
    const response = await reset('tokens@example.com', tokenOf(link));
    const { data } = response.body as { data: string };
    const again = await app.signedIn(user.username, data);
    expect(await again.call(tokenApi.get, { params: { id } })).toMatchObject({ status: tokenStatus.enabled });
  });

  test('[A67.7] mentions the API tokens in the Chinese email', async () => {
    await app.createUser({ email: 'zh@example.com' });
    await linkFor('zh@example.com', { 'accept-language': 'zh-CN' });
    expect((await box.mailTo('zh@example.com')).text).toContain('API 令牌仍可继续使用');
  });

  test('[A18.3] a password reset link uses the configured address, not the request’s Host header', async () => {
    await app.createUser({ email: 'host@example.com' });
    const link = await linkFor('host@example.com', {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    });
    expect(link.host).toBe('gateway.example');
  });

  test('a password reset link stays valid when others guess wrong tokens', async () => {
    await app.createUser({ email: 'guess@example.com' });
    const link = await linkFor('guess@example.com');
    for (let guess = 0; guess < 8; guess++) {
      expect((await reset('guess@example.com', `guess-${guess}`)).body).toEqual(invalid);
    }
    expect((await reset('guess@example.com', tokenOf(link))).body).toMatchObject({ success: true });
  });

  test('a password reset link is invalid for another account, after ten minutes, and if the account was banned after it was sent', async () => {
    const user = await app.createUser({ email: 'mine@example.com' });
    await app.createUser({ email: 'theirs@example.com' });
    const token = tokenOf(await linkFor('mine@example.com'));
    expect((await reset('theirs@example.com', token)).body).toEqual(invalid);
    const users = (status: number) =>
      app.database.updateTable('users').set({ status }).where('id', '=', user.id).execute();
    await users(userStatus.disabled);
    expect((await reset('mine@example.com', token)).body).toEqual(invalid);
    await users(userStatus.enabled);
    await app.database
      .updateTable('codes')
      .set({ expires_time: 1 })
      .where('address', '=', 'mine@example.com')
      .execute();
    expect((await reset('mine@example.com', token)).body).toEqual(invalid);
    await app.signedIn(user.username, user.password);
  });

  test('[A18.3] a password reset link works for exactly one of many concurrent attempts', async () => {
    await app.createUser({ email: 'race@example.com' });
    const token = tokenOf(await linkFor('race@example.com'));
    const responses = await Promise.all(Array.from({ length: 6 }, () => reset('race@example.com', token)));
    expect(responses.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
  });
});

test('[A18.2] unknown and banned addresses get the same response as known ones, even when repeated, and no email', async () => {
  await app.createUser({ email: 'banned@example.com', status: userStatus.disabled });
  await app.createUser({ email: 'known@example.com' });
  const responses = [];
  for (const email of ['known@example.com', 'unknown@example.com', 'banned@example.com']) {
    const first = await send(email);
    const second = await send(email);
    responses.push([first.status, first.body, second.status, second.body]);
  }
  expect(responses[0]?.[1]).toEqual(apiSuccess);
  expect(responses[1]).toEqual(responses[0]);
  expect(responses[2]).toEqual(responses[0]);
  // Emails are sent in order: once a later one has arrived, an earlier one would have too.
  await app.createUser({ email: 'later@example.com' });
  await linkFor('later@example.com');
  expect(box.mails.flatMap(({ to }) => to)).not.toEqual(expect.arrayContaining(['unknown@example.com']));
  expect(box.mails.flatMap(({ to }) => to)).not.toEqual(expect.arrayContaining(['banned@example.com']));
});

test('rejects a token that was never issued', async () => {
  await app.createUser({ email: 'quiet@example.com' });
  expect((await reset('quiet@example.com', 'x')).body).toEqual(invalid);
  for (const body of [{ email: 'quiet@example.com', token: '' }, { email: 'quiet@example.com' }, { token: 'x' }]) {
    expect((await app.client().send(registrationApi.reset, { body })).status).toBe(400);
  }
});

describe('address in the reset link', () => {
  const requestOf = async (options: Parameters<typeof startTestApp>[0], email: string) => {
    await using other = await startTestApp(options);
    await other.createUser({ email });
    const response = await other.client().send(registrationApi.requestReset, { query: { email } });
    const text = (response.body as { success: boolean }).success ? (await box.mailTo(email)).text : '';
    return { body: response.body, text };
  };

  test('a request without a server address is rejected', async () => {
    const { body } = await requestOf({ options: mailOptions }, 'nowhere@example.com');
    expect(body).toEqual(
      apiFailure('Passwords cannot be reset by mail yet: an admin has to set the server address first'),
    );
  });

  test('uses the public URL when the server address option is empty', async () => {
    const config = { publicUrl: 'https://public.example' };
    const { text } = await requestOf({ options: mailOptions, config }, 'public@example.com');
    expect(text).toContain('https://public.example/user/reset?email=public%40example.com&token=');
  });

  test('returns an error if no mail server is configured', async () => {
    const { body } = await requestOf({ options: { ServerAddress: 'https://x.example' } }, 'mute@example.com');
    expect(body).toEqual(apiFailure(/^This gateway cannot send mail yet/));
  });
});
