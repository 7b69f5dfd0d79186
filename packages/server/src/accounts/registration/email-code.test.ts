import { registrationApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const mailOptions = {
  SMTPServer: '127.0.0.1',
  SMTPPort: String(box.port),
  SMTPAccount: 'gateway@example.com',
  SystemName: 'Test <Gate> & Co',
};
const app = await useTestApp({
  options: {
    ...mailOptions,
    EmailVerificationEnabled: 'true',
    EmailDomainRestrictionEnabled: 'true',
    EmailDomainWhitelist: 'example.com,Good.Example',
  },
});
const { rowNamed } = accountsOf(app);

const send = (email: string, language = 'en') =>
  app.client().send(registrationApi.sendCode, { query: { email }, headers: { 'accept-language': language } });
const register = (body: object) =>
  app.client().send(registrationApi.register, { body: { password: 'long enough', ...body } });
const wrongCode = apiFailure('The verification code is wrong or has expired');

async function codeFor(email: string): Promise<string> {
  expect((await send(email)).body).toEqual(apiSuccess);
  const { text } = await box.mailTo(email.toLowerCase());
  return /^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? 'none';
}

describe('[S7.11] verification code', () => {
  test('a verification code arrives by email and creates exactly one account with that address', async () => {
    const code = await codeFor('Ada@Example.com');
    const mail = await box.mailTo('ada@example.com');
    expect(mail.subject).toBe('Test <Gate> & Co: verify your email address');
    expect(mail.raw).toContain('gateway@example.com');
    expect(mail.raw).not.toContain('<Gate></p>');
    const body = { email: 'ADA@example.com', verification_code: ` ${code.toLowerCase()} ` };
    expect((await register({ username: 'ada', ...body })).body).toEqual(apiSuccess);
    expect(await rowNamed('ada')).toMatchObject({ email: 'ada@example.com' });
    expect((await register({ username: 'ada2', ...body })).body).toEqual(wrongCode);
    expect(await rowNamed('ada2')).toBeUndefined();
  });

  test('a verification code email is in Chinese for users with that language', async () => {
    await send('zh@example.com', 'zh-CN');
    const mail = await box.mailTo('zh@example.com');
    expect(mail.subject).toBe('Test <Gate> & Co 邮箱验证邮件');
    expect(mail.text).toContain('您的验证码为');
  });

  test('a verification code is not stored in plain text', async () => {
    const code = await codeFor('secret@example.com');
    const rows = await app.database
      .selectFrom('codes')
      .selectAll()
      .where('address', '=', 'secret@example.com')
      .execute();
    expect(rows).toMatchObject([{ purpose: 'registration', attempts: 0 }]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('a verification code stays valid when registration fails because the username is taken', async () => {
    const { username } = await app.createUser();
    const body = { email: 'twice@example.com', verification_code: await codeFor('twice@example.com') };
    expect((await register({ username, ...body })).body).toEqual(apiFailure('This username is taken'));
    expect((await register({ username: 'twice', ...body })).body).toEqual(apiSuccess);
  });

  test('[A18.1] a verification code is invalid after five wrong attempts', async () => {
    const email = 'guess@example.com';
    const code = await codeFor(email);
    const guesses = Array.from({ length: 5 }, (_, index) =>
      register({ username: `guess${index}`, email, verification_code: `AAAAA${index}` }),
    );
    for (const { body } of await Promise.all(guesses)) expect(body).toEqual(wrongCode);
    expect((await register({ username: 'guessed', email, verification_code: code })).body).toEqual(wrongCode);
  });

  test('a verification code is invalid after ten minutes, for another address, and after a newer code was sent', async () => {
    const email = 'late@example.com';
    const code = await codeFor(email);
    const other = { username: 'late', email: 'other@example.com', verification_code: code };
    expect((await register(other)).body).toEqual(wrongCode);
    const aged = (expires_time: number) =>
      app.database.updateTable('codes').set({ expires_time }).where('address', '=', email).execute();
    await aged(1);
    expect((await register({ ...other, email })).body).toEqual(wrongCode);
    expect((await send(email)).body).toEqual(apiSuccess);
    expect((await register({ ...other, email })).body).toEqual(wrongCode);
  });

  test('a verification code is not sent again within the resend interval', async () => {
    const before = await codeFor('eager@example.com');
    const again = await send('eager@example.com');
    expect(again.status).toBe(429);
    const body = { username: 'eager', email: 'eager@example.com', verification_code: before };
    expect((await register(body)).body).toEqual(apiSuccess);
  });

  test('creates one account when a code is used many times concurrently', async () => {
    const email = 'race@example.com';
    const verification_code = await codeFor(email);
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) => register({ username: `race${index}`, email, verification_code })),
    );
    expect(responses.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
    const rows = await app.database.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
  });
});

test('a taken address is reported only by email, not in the response', async () => {
  await app.createUser({ email: 'known@example.com' });
  expect((await send('Known@example.com')).body).toEqual(apiSuccess);
  const mail = await box.mailTo('known@example.com');
  expect(mail.subject).toContain('you already have an account');
  expect(mail.text).not.toMatch(/^[A-Z0-9]{6}$/m);
});

describe('[A18.4] email domain', () => {
  test('compares the whole domain, case-insensitively', async () => {
    expect((await send('a@GOOD.example')).body).toEqual(apiSuccess);
    // Empties the mailbox, because later tests count emails.
    await box.mailTo('a@good.example');
  });

  test.each(['a@evil.example', 'a@sub.example.com', 'a@notexample.com', 'a@example.com.evil.example'])(
    'rejects the address %s, whose domain is not on the allowlist',
    async (email) => {
      expect((await send(email)).body).toEqual(apiFailure('Email addresses at this domain are not allowed'));
    },
  );

  test.each([
    'a@evil.example,example.com',
    'a@evil.example@example.com',
    'a@evil.example, b@example.com',
    '"a@evil.example"@example.com',
    'a@evil.example\r\nBcc: b@example.com',
    'no address',
    '',
    `${'x'.repeat(50)}@example.com`,
  ])('rejects the invalid address %j', async (email) => {
    const before = box.mails.length;
    expect((await send(email)).status).toBe(400);
    expect(box.mails).toHaveLength(before);
  });
});

test('returns a clear error without a mail server', async () => {
  await using silent = await startTestApp({ options: { SMTPServer: 'smtp.example.com' } });
  const response = await silent.client().send(registrationApi.sendCode, { query: { email: 'a@example.com' } });
  expect(response.body).toEqual(
    apiFailure('This gateway cannot send mail yet: its SMTP server and sender are not set'),
  );
});

test('does not wait for an unresponsive mail server', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await using slow = await Mailbox.start({ onConnect: (_session, ready) => void released.then(() => ready()) });
  await using patient = await startTestApp({ options: { ...mailOptions, SMTPPort: String(slow.port) } });
  const response = await patient.client().send(registrationApi.sendCode, { query: { email: 'a@example.com' } });
  expect(response.body).toEqual(apiSuccess);
  expect(slow.mails).toEqual([]);
  release();
  expect((await slow.mailTo('a@example.com')).text).toContain('verification code');
});
