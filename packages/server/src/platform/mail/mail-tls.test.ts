import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { defaultOptions } from '@headgate/contract';
import { localCertificate, Mailbox, otherHostCertificate, testCertificateAuthority } from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { type Mail, sendMail, transportOptions } from './mail-transport.ts';

const mail: Mail = { to: 'a@example.com', subject: 'Hello', text: 'text', html: '<p>text</p>' };
const optionsFor = (port: number, more: object = {}) => ({
  ...defaultOptions,
  SMTPServer: '127.0.0.1',
  SMTPPort: port,
  SMTPFrom: 'gateway@example.com',
  ...more,
});

const usual = getCACertificates('default');
const trust = () => setDefaultCACertificates([...usual, testCertificateAuthority]);
afterEach(() => setDefaultCACertificates(usual));

/** Both kinds of TLS: implicit, as on port 465, and STARTTLS, as on 587. */
describe.each([
  ['from the start', { secure: true }],
  ['through STARTTLS', { secure: false, hideSTARTTLS: false, allowInsecureAuth: false }],
])('TLS %s', (_, kind) => {
  const send = (box: Mailbox, more: object = {}) =>
    sendMail(optionsFor(box.port, more), mail, kind.secure ? box.port : undefined);

  test('sends the email and the password over TLS to a trusted server', async () => {
    trust();
    const { promise: seen, resolve } = Promise.withResolvers<object>();
    await using box = await Mailbox.start({
      ...kind,
      ...localCertificate,
      onAuth: ({ username, password }, { secure }, ready) => {
        resolve({ username, password, secure });
        ready(null, { user: username });
      },
    });
    await send(box, { SMTPAccount: 'account', SMTPToken: 'token' });
    expect(await seen).toEqual({ username: 'account', password: 'token', secure: true });
    expect(box.mails).toMatchObject([{ to: ['a@example.com'], subject: 'Hello' }]);
  });

  test.each([
    ['with an unknown authority', localCertificate, false],
    ["with another host's certificate", otherHostCertificate, true],
  ])('sends nothing to a server %s', async (_name, certificate, isTrusted) => {
    if (isTrusted) trust();
    const passwords: unknown[] = [];
    await using box = await Mailbox.start({
      ...kind,
      ...certificate,
      onAuth: ({ password }, _session, ready) => {
        passwords.push(password);
        ready(null, { user: 'x' });
      },
    });
    const sent = send(box, { SMTPAccount: 'account', SMTPToken: 'token' });
    await expect(sent).rejects.toThrow(isTrusted ? /altnames|does not match/i : /certificate|issuer/i);
    expect(passwords).toEqual([]);
    expect(box.mails).toEqual([]);
  });

  test('rejects old TLS versions', async () => {
    trust();
    await using box = await Mailbox.start({ ...kind, ...localCertificate, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    await expect(send(box)).rejects.toThrow();
    expect(box.mails).toEqual([]);
  });
});

test('port 465 uses implicit TLS', () => {
  expect(transportOptions(optionsFor(465)).secure).toBe(true);
  expect(transportOptions(optionsFor(587)).secure).toBe(false);
});

test.each([
  ['mail.example.com', 'token', true],
  ['mail.example.com', '', false],
  ['127.0.0.1', 'token', false],
  ['localhost', 'token', false],
  ['127.0.0.1.evil.example', 'token', true],
])('host %s with the password %j requires TLS: %s', (SMTPServer, SMTPToken, isMust) => {
  expect(transportOptions(optionsFor(587, { SMTPServer, SMTPToken })).requireTLS).toBe(isMust);
});
