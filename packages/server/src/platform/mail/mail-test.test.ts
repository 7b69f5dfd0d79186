import { mailApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const plain = await useTestApp();

const optionsFor = ({ port }: Mailbox, more: object = {}) => ({
  SMTPServer: '127.0.0.1',
  SMTPPort: String(port),
  SMTPFrom: 'gateway@example.com',
  SystemName: 'Gate',
  ...more,
});

describe('test email', () => {
  test("a test email is sent immediately in the requester's language", async () => {
    await using box = await Mailbox.start();
    await using app = await startTestApp({ options: optionsFor(box) });
    const admin = await app.as('admin');
    expect((await admin.send(mailApi.test, { body: { to: 'Me@Example.com' } })).body).toEqual(apiSuccess);
    expect(box.mails).toMatchObject([{ to: ['me@example.com'], subject: 'Gate: test email' }]);
    admin.headers['accept-language'] = 'zh';
    await admin.call(mailApi.test, { body: { to: 'me@example.com' } });
    expect(box.mails[1]).toMatchObject({ subject: 'Gate 测试邮件', text: expect.stringContaining('邮件设置工作正常') });
  });

  test('a rejected test email returns the reason without the password', async () => {
    await using box = await Mailbox.start({
      allowInsecureAuth: true,
      onAuth: (_, _session, ready) => ready(Object.assign(new Error('Bad credentials'), { responseCode: 535 })),
    });
    const options = optionsFor(box, { SMTPAccount: 'account', SMTPToken: 'the-password' });
    await using app = await startTestApp({ options });
    const response = await (await app.as('admin')).send(mailApi.test, { body: { to: 'me@example.com' } });
    expect(response.body).toEqual(apiFailure(/^The mail could not be sent: Invalid login: 535 /));
    expect(response.text).not.toContain('the-password');
  });

  test('a test email to an unreachable server returns an error', async () => {
    const box = await Mailbox.start();
    await box.close();
    await using app = await startTestApp({ options: optionsFor(box) });
    const { body } = await (await app.as('admin')).send(mailApi.test, { body: { to: 'me@example.com' } });
    expect(body).toEqual(apiFailure(/^The mail could not be sent: .*ECONNREFUSED/));
  });

  test('a test email returns an error that names the missing settings', async () => {
    const { body } = await (await plain.as('admin')).send(mailApi.test, { body: { to: 'me@example.com' } });
    expect(body).toEqual(apiFailure(/SMTP server and sender are not set/));
  });

  test.each(['', 'nobody', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: c@d.example', ['a@b.example']])(
    'a test email to %j is rejected as malformed',
    async (to) => {
      expect((await (await plain.as('admin')).send(mailApi.test, { body: { to } })).status).toBe(400);
    },
  );
});
