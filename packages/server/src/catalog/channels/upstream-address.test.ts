import { channelApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { createChannel, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const { id } = await createChannel(app, admin, { base_url: 'https://before.example.com' });
const update = (base_url: string) => admin.send(channelApi.update, { body: { id, base_url, key: 'sk-plain' } });

describe('[S5.41] base URLs are normalized', () => {
  test.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com///', 'https://api.example.com'],
    ['  https://api.example.com/v1/ ', 'https://api.example.com/v1'],
    ['HTTPS://API.Example.com:443/V1', 'https://api.example.com/V1'],
    ['http://localhost:11434', 'http://localhost:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['http://192.168.1.5/api/openapi/', 'http://192.168.1.5/api/openapi'],
    ['http://10.0.0.1', 'http://10.0.0.1'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['http://[fd00::1]/', 'http://[fd00::1]'],
    ['https://metadata.example.com', 'https://metadata.example.com'],
    ['https://例子.example', 'https://xn--fsqu00a.example'],
    ['https://api.example.com/a/../b', 'https://api.example.com/b'],
    ['', ''],
  ])('stores %j as %j', async (given, stored) => {
    expect((await update(given)).body).toMatchObject({ success: true, data: { base_url: stored } });
    expect(await storedChannel(app, id)).toMatchObject({ base_url: stored });
  });
});

async function expectRejection(base_url: string, message: RegExp) {
  await update('https://before.example.com');
  const { status, body } = await update(base_url);
  expect(status).toBe(200);
  expect(body).toEqual({ success: false, message: expect.stringMatching(message) });
  expect(await storedChannel(app, id)).toMatchObject({ base_url: 'https://before.example.com' });
}

describe('[A21.5] invalid base URLs are rejected', () => {
  test.each([
    'example.com',
    '//example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://example.com',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https://',
    'http://exa mple.com',
    'https://example.com:99999',
    'https://user@example.com',
    'https://user:password@example.com',
    'https://:password@example.com',
    'https://example.com?x=1',
    'https://example.com/?',
    'https://example.com/#x',
    'https://example.com#@evil.com',
    'http://[::1',
  ])('rejects the base URL %s', (address) => expectRejection(address, /^The base URL must start with http/));

  test('the error does not reveal a password in the URL', async () => {
    const { text } = await update('https://user:tell-tale@example.com');
    expect(text).not.toContain('tell-tale');
  });
});

describe('[A21.3] metadata service addresses are rejected', () => {
  test.each([
    'http://169.254.169.254',
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.0.1:8080',
    'http://169.254.170.2',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://0xa9.254.0xa9.254',
    'http://169.254.43518',
    'http://169.254.169.254.',
    'http://１６９.254.169.254',
    'http://169。254。169。254',
    'http://[fe80::1]',
    'http://[febf:ffff::1]:8080/x',
    'http://[::ffff:169.254.169.254]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[::169.254.169.254]',
    'http://[64:ff9b::169.254.169.254]',
    'http://[2002:a9fe:a9fe::1]',
    'http://[fd00:ec2::254]',
    'http://[fd00:0ec2:0:0:0:0:0:0254]',
    'http://[fd20:ce::254]',
    'http://100.100.100.200',
    'http://192.0.0.192',
    'http://168.63.129.16',
    'http://metadata.google.internal',
    'http://METADATA.google.internal./computeMetadata/v1',
    'http://metadata',
    'http://metadata.goog',
    'http://x.metadata.google.internal',
    'http://instance-data',
    'http://instance-data.ec2.internal/latest',
    'http://metadata.tencentyun.com',
  ])('rejects the metadata address %s', (address) =>
    expectRejection(address, /^The base URL must not point to a link-local or metadata address$/),
  );
});
