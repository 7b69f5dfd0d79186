import { expect, test } from 'vitest';
import { selectStorableHeaders } from './payload-headers.ts';

test('stores headers without credentials, accounts and client addresses', () => {
  const apiToken = `sk-${'a1'.repeat(24)}`;
  const secret = {
    authorization: `Bearer ${apiToken}`,
    'x-api-key': apiToken,
    'x-goog-api-key': apiToken,
    cookie: 'session=1',
    'proxy-authorization': 'Basic dTpw',
    'x-forwarded-for': '192.0.2.1',
    'openai-organization': 'org-1',
    'x-custom': `token ${apiToken}`,
  };
  const open = { 'user-agent': 'openai-python/2.0', accept: '*/*', 'anthropic-version': '2023-06-01' };
  expect(selectStorableHeaders({ ...secret, ...open, 'x-trace': 'x'.repeat(5000) })).toEqual({
    ...open,
    'x-trace': 'x'.repeat(1000),
  });
});
