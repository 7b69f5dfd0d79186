import { defaultOptions, registrationApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { describe, expect, test, vi } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import { MailQueue } from './mail-queue.ts';
import { type Mail, sendMail } from './mail-transport.ts';

const mail: Mail = { to: 'a@example.com', subject: 'Hello', text: 'text', html: '<p>text</p>' };
const optionsFor = ({ port }: Mailbox, more: object = {}) => ({
  ...defaultOptions,
  SMTPServer: '127.0.0.1',
  SMTPPort: port,
  SMTPFrom: 'gateway@example.com',
  ...more,
});

/** A queue with a real server, and its reported failures. */
function queueTo(box: Mailbox, more: object = {}) {
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

const rejection = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

describe('the queue', () => {
  test('retries while the server is busy', async () => {
    let calls = 0;
    await using box = await Mailbox.start({
      onRcptTo: (_address, _session, ready) => ready(++calls < 3 ? rejection(451) : null),
    });
    const { queue, failures } = queueTo(box);
    queue.add(mail);
    expect((await box.mailTo('a@example.com')).subject).toBe('Hello');
    expect(failures).toEqual([true, true]);
  });

  test('gives up after the maximum number of retries', async () => {
    await using box = await Mailbox.start({ onRcptTo: (_address, _session, ready) => ready(rejection(451)) });
    const { queue, failures, gaveUp } = queueTo(box);
    queue.add(mail);
    await gaveUp;
    expect(failures).toEqual([true, true, false]);
  });

  test('does not retry a permanent rejection', async () => {
    await using box = await Mailbox.start({ onRcptTo: (_address, _session, ready) => ready(rejection(550)) });
    const { queue, failures, gaveUp } = queueTo(box);
    queue.add(mail);
    await gaveUp;
    expect(failures).toEqual([false]);
  });

  test('the queue is bounded and accepts no emails once closed', () => {
    const queue = new MailQueue({ send: () => new Promise(() => undefined), onFailure: () => undefined });
    const taken = Array.from({ length: 1100 }, () => queue.add(mail)).filter(Boolean);
    expect(taken).toHaveLength(1004);
    void queue.close(0);
    expect(queue.add(mail)).toBe(false);
  });

  test('waits longer before each retry', async () => {
    vi.useFakeTimers();
    const began = Date.now();
    const tries: number[] = [];
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const send = () => {
      tries.push(Date.now() - began);
      return Promise.reject(away);
    };
    const queue = new MailQueue({ send, onFailure: () => undefined });
    queue.add(mail);
    await vi.advanceTimersByTimeAsync(600_000);
    vi.useRealTimers();
    expect(tries).toEqual([0, 2000, 12_000, 72_000]);
  });
});

describe('shutdown', () => {
  test('shutdown waits for queued emails and emails being sent', async () => {
    await using box = await Mailbox.start();
    const { queue, failures } = queueTo(box);
    for (let count = 0; count < 9; count += 1) queue.add(mail);
    await queue.close();
    expect(box.mails).toHaveLength(9);
    expect(failures).toEqual([]);
  });

  test('shutdown retries waiting emails immediately and only once', async () => {
    const tries: string[] = [];
    const send = async ({ to }: Mail) => {
      tries.push(to);
      if (to === 'never' || tries.length <= 2) throw rejection(451);
    };
    const failures: boolean[] = [];
    const queue = new MailQueue({ send, onFailure: (_, willRetry) => failures.push(willRetry) });
    for (const to of ['never', 'later']) queue.add({ ...mail, to });
    await expect.poll(() => failures).toEqual([true, true]);
    await queue.close();
    expect(tries).toEqual(['never', 'later', 'never', 'later']);
    expect(failures).toEqual([true, true, false]);
  });

  test('shutdown stops waiting for an unresponsive server after the limit and reports the lost emails', async () => {
    const failures: unknown[] = [];
    const send = () => new Promise<never>(() => undefined);
    const queue = new MailQueue({ send, onFailure: (error, willRetry) => failures.push([String(error), willRetry]) });
    for (let count = 0; count < 7; count += 1) queue.add(mail);
    await queue.close(1);
    expect(failures).toEqual([['Error: 7 mails were not sent before the shutdown', false]]);
  });

  test('shutdown does not wait if the queue is empty', async () => {
    const queue = new MailQueue({ send: async () => undefined, onFailure: () => undefined });
    vi.useFakeTimers();
    await queue.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('a requested code is sent even if the mail server was briefly unavailable', async () => {
    const { promise: wasAway, resolve } = Promise.withResolvers<void>();
    let calls = 0;
    await using box = await Mailbox.start({
      onRcptTo: (_address, _session, ready) => {
        calls += 1;
        ready(calls === 1 ? rejection(451) : null);
        resolve();
      },
    });
    const app = await startTestApp({
      options: { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' },
    });
    await app.client().call(registrationApi.sendCode, { query: { email: 'b@example.com' } });
    await wasAway;
    await app.close();
    expect(box.mails).toMatchObject([{ to: ['b@example.com'] }]);
  });
});

describe('the transport', () => {
  test('authenticates with the configured account and token', async () => {
    const { promise: credentials, resolve } = Promise.withResolvers<object>();
    await using box = await Mailbox.start({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, ready) => {
        resolve({ username, password });
        ready(null, { user: username });
      },
    });
    await sendMail(optionsFor(box, { SMTPAccount: 'account', SMTPToken: 'token' }), mail);
    expect(await credentials).toEqual({ username: 'account', password: 'token' });
  });

  test('the transport sends nothing to a server with an untrusted certificate', async () => {
    await using box = await Mailbox.start({ hideSTARTTLS: false });
    await expect(sendMail(optionsFor(box), mail)).rejects.toThrow(/certificate|self.signed/i);
    expect(box.mails).toEqual([]);
  });

  test('header and recipient injection is not possible', async () => {
    await using box = await Mailbox.start();
    const options = optionsFor(box, { SystemName: 'Evil\r\nBcc: b@example.com' });
    await sendMail(options, { ...mail, subject: 'Hi\r\nBcc: c@example.com' });
    expect(box.mails).toMatchObject([{ to: ['a@example.com'] }]);
    expect(box.mails[0]?.raw).not.toMatch(/^bcc:/im);
  });
});
