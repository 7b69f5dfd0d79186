import { defaultOptions } from '@headgate/contract';
import { MailBox } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { MailQueue } from './mail-queue.ts';
import { type Mail, sendMail } from './mail-transport.ts';

const mail: Mail = { to: 'a@example.com', subject: 'Hello', text: 'text', html: '<p>text</p>' };
const optionsFor = ({ port }: MailBox, more: object = {}) => ({
  ...{ ...defaultOptions, SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'gateway@example.com' },
  ...more,
});

/** The queue over a real server, and what it has reported. */
function queueTo(box: MailBox, more: object = {}) {
  const failures: boolean[] = [];
  const { promise: gaveUp, resolve } = Promise.withResolvers<void>();
  const queue = new MailQueue({
    send: (sent) => sendMail(optionsFor(box, more), sent),
    retryAfterMs: [1, 1],
    onFailure: (_, willRetry) => {
      failures.push(willRetry);
      if (!willRetry) resolve();
    },
  });
  return { queue, failures, gaveUp };
}

const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

describe('the queue', () => {
  test('tries again while the server is busy', async () => {
    let calls = 0;
    await using box = await MailBox.start({
      onRcptTo: (_address, _session, ready) => ready(++calls < 3 ? refusal(451) : null),
    });
    const { queue, failures } = queueTo(box);
    queue.add(mail);
    expect((await box.mailTo('a@example.com')).subject).toBe('Hello');
    expect(failures).toEqual([true, true]);
  });

  test('gives up after its tries', async () => {
    await using box = await MailBox.start({ onRcptTo: (_address, _session, ready) => ready(refusal(451)) });
    const { queue, failures, gaveUp } = queueTo(box);
    queue.add(mail);
    await gaveUp;
    expect(failures).toEqual([true, true, false]);
  });

  test('takes a permanent no for an answer', async () => {
    await using box = await MailBox.start({ onRcptTo: (_address, _session, ready) => ready(refusal(550)) });
    const { queue, failures, gaveUp } = queueTo(box);
    queue.add(mail);
    await gaveUp;
    expect(failures).toEqual([false]);
  });

  test('is bounded, and takes nothing once it is closed', () => {
    const queue = new MailQueue({ send: () => new Promise(() => undefined), onFailure: () => undefined });
    const taken = Array.from({ length: 1100 }, () => queue.add(mail)).filter(Boolean);
    expect(taken).toHaveLength(1004);
    queue.close();
    expect(queue.add(mail)).toBe(false);
  });
});

describe('the transport', () => {
  test('signs in with the account and the token', async () => {
    const { promise: credentials, resolve } = Promise.withResolvers<object>();
    await using box = await MailBox.start({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, ready) => {
        resolve({ username, password });
        ready(null, { user: username });
      },
    });
    await sendMail(optionsFor(box, { SMTPAccount: 'account', SMTPToken: 'token' }), mail);
    expect(await credentials).toEqual({ username: 'account', password: 'token' });
  });

  test('sends nothing to a server whose certificate cannot be trusted', async () => {
    await using box = await MailBox.start({ hideSTARTTLS: false });
    await expect(sendMail(optionsFor(box), mail)).rejects.toThrow(/certificate|self.signed/i);
    expect(box.mails).toEqual([]);
  });

  test('begins no other mail or header from what it is given', async () => {
    await using box = await MailBox.start();
    const options = optionsFor(box, { SystemName: 'Evil\r\nBcc: b@example.com' });
    await sendMail(options, { ...mail, subject: 'Hi\r\nBcc: c@example.com' });
    expect(box.mails).toMatchObject([{ to: ['a@example.com'] }]);
    expect(box.mails[0]?.raw).not.toMatch(/^bcc:/im);
  });
});
