import { tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const direct = await useTestApp();
const behindProxy = await useTestApp({ config: { trustedProxies: ['127.0.0.0/8'] } });
const near = await relayFixture(direct, { upstreams: [completion()] });
const far = await relayFixture(behindProxy, { upstreams: [completion()] });
afterAll(() => Promise.all([near.close(), far.close()]));

/** Status of a request with a token restricted to `subnet` that claims another client address. */
async function statusOf(scene: typeof near, subnet: string, claimed: Readonly<Record<string, string>>) {
  const { id, key } = scene.token;
  await scene.client.call(tokenApi.update, { query: {}, body: { id, subnet } });
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', ...claimed };
  const response = await scene.chat({}, { headers });
  await response.text();
  return response.status;
}

describe('[A16.1] client address headers', () => {
  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'])(
    'ignores %s without a trusted proxy',
    async (name) => {
      const value = name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9';
      expect(await statusOf(near, '203.0.113.0/24', { [name]: value })).toBe(403);
      expect(await statusOf(near, '127.0.0.0/8', { [name]: value })).toBe(200);
    },
  );

  test('uses only the last address added by the trusted proxy', async () => {
    const chain = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect(await statusOf(far, '203.0.113.0/24', chain)).toBe(403);
    expect(await statusOf(far, '198.51.100.7', chain)).toBe(200);
  });
});

describe('[A16.2] an IPv4-mapped IPv6 address is treated as its IPv4 address', () => {
  test.each([
    ['198.51.100.0/24', '::ffff:198.51.100.7', 200],
    ['198.51.100.0/24', '::ffff:c633:6407', 200],
    ['198.51.100.0/24', '::ffff:203.0.113.9', 403],
    ['::ffff:198.51.100.7', '198.51.100.7', 200],
    ['::ffff:198.51.100.0/120', '198.51.100.7', 200],
    ['::ffff:198.51.100.0/120', '203.0.113.9', 403],
    ['::/0', '2001:db8::1', 200],
    ['2001:db8::/32', '198.51.100.7', 403],
  ])('a token restricted to %s and used from %s returns %i', async (subnet, address, status) => {
    expect(await statusOf(far, subnet, { 'x-forwarded-for': address })).toBe(status);
  });
});
