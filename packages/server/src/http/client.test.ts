import { sessionApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { type TestApp, useTestApp } from '../testing/test-app.ts';

const direct = await useTestApp();
const behindProxy = await useTestApp({ config: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8', '::1'] } });

/** The address stored for a login with these headers. */
async function addressSeen(app: TestApp, headers: Record<string, string>): Promise<string | undefined> {
  const { id, username, password } = await app.createUser();
  const response = await app.client().send(sessionApi.login, { body: { username, password }, headers });
  expect(response.body).toMatchObject({ success: true });
  const rows = await app.database.selectFrom('sessions').select('address').where('user_id', '=', id).execute();
  return rows[0]?.address;
}

describe('client address without trusted proxies', () => {
  test.each([
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
    { forwarded: 'for=203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
  ])('headers %o do not change the client address', async (headers) => {
    expect(await addressSeen(direct, headers)).toBe('127.0.0.1');
  });
});

describe('client address behind a trusted proxy', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
    // The client wrote everything to the left of the first untrusted hop.
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ])('X-Forwarded-For %s gives the client address %s', async (forwardedFor, address) => {
    expect(await addressSeen(behindProxy, { 'x-forwarded-for': forwardedFor })).toBe(address);
  });

  test.each(['unknown', '203.0.113.9:4711', '_hidden', '[2001:db8::7]:80', '', ',', "'"])(
    'a login works when the forwarded address is %j',
    async (forwardedFor) => {
      expect(await addressSeen(behindProxy, { 'x-forwarded-for': forwardedFor })).toBeDefined();
    },
  );
});
