import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { SourceLimits } from '@headgate/importer';
import {
  ipCertificate,
  localCertificate,
  localhostCertificate,
  otherHostCertificate,
  testCertificateAuthority,
} from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { importFrom } from '../../testing/commands/import-fixture.ts';
import { MysqlStub, requestedFile } from '../../testing/commands/mysql-stub.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';

const password = 'pässwörd of the reader';

const usual = getCACertificates('default');
const trust = (...others: string[]) => setDefaultCACertificates([...usual, testCertificateAuthority, ...others]);
afterEach(() => setDefaultCACertificates(usual));

/** The error message of the import; each of these servers makes it fail. */
async function errorMessageOf(path: string, sourceLimits?: SourceLimits): Promise<string> {
  await using stored = await createMigratedDatabase();
  const importing = importFrom({ path }, stored, sourceLimits && { sourceLimits });
  return importing.then(
    () => 'it came',
    ({ message }: Error) => message,
  );
}

const cannot = (reason: string) =>
  expect.stringMatching(new RegExp(`^MySQL at 127\\.0\\.0\\.1:\\d+/one cannot be read \\(${reason}\\)\\.$`));
/** Error after a successful sign-in: the first query is rejected. */
const letIn = cannot('ER_TABLEACCESS_DENIED_ERROR: this user may not read all tables and rows');
const turnedAway = cannot('ER_ACCESS_DENIED_ERROR: wrong user or password');

describe('MySQL sign-in', () => {
  test.each([
    ['with mysql_native_password', { plugin: 'mysql_native_password' }, ''],
    ['with caching_sha2_password', { plugin: 'caching_sha2_password' }, ''],
    ['with uncached caching_sha2_password, without TLS', { plugin: 'caching_sha2_password', isUncached: true }, ''],
    [
      'with uncached caching_sha2_password, over TLS',
      { plugin: 'caching_sha2_password', isUncached: true, tls: localCertificate },
      '?tls=true',
    ],
    ['with mysql_native_password over TLS', { plugin: 'mysql_native_password', tls: localCertificate }, '?tls=true'],
  ] as const)(
    'sign-in succeeds with the correct password and fails with a wrong one, %s',
    async (_, behaviour, settings) => {
      trust();
      await using server = await MysqlStub.start({ ...behaviour, password });
      expect(await errorMessageOf(server.url(password, settings))).toEqual(letIn);
      expect(await errorMessageOf(server.url('another', settings))).toEqual(turnedAway);
      expect(server.signedIn).toBe(1);
    },
  );
});

test('checks the certificate against the IP address of the URL, not against localhost', async () => {
  trust(ipCertificate.cert);
  await using server = await MysqlStub.start({ plugin: 'mysql_native_password', password, tls: ipCertificate });
  expect(await errorMessageOf(server.url(password, '?tls=true'))).toEqual(letIn);
});

describe('[A60.5] MySQL password', () => {
  test('the password is not sent to a server that requests it in plain text', async () => {
    await using server = await MysqlStub.start({ plugin: 'mysql_clear_password', password });
    expect(await errorMessageOf(server.url(password))).toEqual(
      cannot('MYSQL_CLEAR_PASSWORD_NOT_ENABLED: the server requests the password in plain text'),
    );
    expect(server.received.includes(password)).toBe(false);
  });

  test.each([
    ['with an unknown certificate authority', localCertificate, false],
    ["with another host's certificate", otherHostCertificate, true],
    ['with a certificate for localhost only', localhostCertificate, true],
  ])('the password is not sent to a server %s if TLS is required', async (_, tls, isTrusted) => {
    if (isTrusted) trust(tls.cert);
    await using server = await MysqlStub.start({ plugin: 'caching_sha2_password', isUncached: true, password, tls });
    const reason = 'untrusted certificate; set NODE_EXTRA_CA_CERTS to use your own certificate authority';
    expect(await errorMessageOf(server.url(password, '?tls=true'))).toEqual(cannot(`HANDSHAKE_SSL_ERROR: ${reason}`));
    expect(server.signedIn).toBe(0);
    expect(server.received.includes(password)).toBe(false);
    expect(server.received.includes('reader')).toBe(false);
  });

  test('the password is not sent to a server without TLS support if TLS is required', async () => {
    await using server = await MysqlStub.start({ plugin: 'mysql_native_password', password });
    expect(await errorMessageOf(server.url(password, '?tls=true'))).toEqual(
      cannot('HANDSHAKE_NO_SSL_SUPPORT: the server does not support TLS'),
    );
    expect(server.received).toHaveLength(0);
  });
});

test('[A60.6] a server that requests a local file does not get it', async () => {
  await using server = await MysqlStub.start({ plugin: 'mysql_native_password', password, questions: 'file' });
  expect(await errorMessageOf(server.url(password))).toEqual(cannot('the server requests a local file'));
  expect(server.received.includes(readFileSync(requestedFile, 'utf8').slice(0, 100))).toBe(false);
});

const patient: SourceLimits = { connectMs: 60_000, statementMs: 60_000, lockMs: 1000, graceMs: 100 };

test.each([
  ['to the sign-in', { isMute: true }, { connectMs: 500 }, 'ETIMEDOUT'],
  ['to queries', { questions: 'silence' }, { statementMs: 500 }, 'PROTOCOL_SEQUENCE_TIMEOUT'],
] as const)('[A60.7] the import times out when a server does not respond %s', async (_, behaviour, limits, code) => {
  await using server = await MysqlStub.start({ plugin: 'mysql_native_password', password, ...behaviour });
  expect(await errorMessageOf(server.url(password), { ...patient, ...limits })).toEqual(cannot(`${code}: no response`));
});
