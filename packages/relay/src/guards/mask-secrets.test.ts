import { expect, test } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { maskCredential, maskSecrets } from './mask-secrets.ts';

const key = 'Zq7-upstream.Key/With+Signs123456789';

const channel = (fields: Partial<RelayChannel> = {}): RelayChannel => ({
  id: 1,
  priority: 0,
  weight: 0,
  type: 8,
  name: 'one',
  key,
  other: '',
  groups: ['default'],
  config: {},
  baseUrl: 'https://Models.corp.example:8443/base',
  modelMapping: new Map(),
  systemPrompt: '',
  ...fields,
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['in a sentence', `Incorrect key: ${key}!`, 'Incorrect key: ***!'],
  ['twice', `${key} and ${key}`, '*** and ***'],
  ['in capitals', key.toUpperCase(), '***'],
  ['truncated at its end', `wrong: ${key.slice(0, 20)}`, 'wrong: ***'],
  ['truncated at its start', `wrong: …${key.slice(15)}`, 'wrong: …***'],
  ['URL-encoded', `?k=${encodeURIComponent(key)}&x`, '?k=***&x'],
  ['URL-encoded twice', `?u=${encodeURIComponent(encodeURIComponent(key))}`, '?u=***'],
  ['dumped in hex', `got ${Buffer.from(key).toString('hex')}.`, 'got ***.'],
])("[A33.1] masks a channel's key %s", (_, text, shown) => {
  expect(maskSecrets(text, channel())).toBe(shown);
});

test.each(['', ':', 'me:', 'you:', 'Basic '])('[A33.1] masks a key inside base64 at any offset: %j', (before) => {
  const masked = maskSecrets(`Authorization: ${base64(`${before}${key}${before}`)}`, channel());
  expect(masked).toContain('***');
  for (let at = 0; at + 12 <= key.length; at += 1) {
    for (const position of [0, 1, 2]) {
      const inside = Buffer.concat([Buffer.alloc(position), Buffer.from(key.slice(at, at + 12))]).toString('base64');
      expect(masked).not.toContain(inside.slice(position === 0 ? 0 : position + 1, 12));
    }
  }
});

test('[A33.2] masks a key at the truncation point of a long text', () => {
  for (let at = 1960; at < 2010; at += 1) {
    const shown = maskSecrets('x'.repeat(at) + key, channel()).slice(0, 2000);
    expect(shown.replace(/^x*/, '')).toMatch(/^\*{0,3}$/);
  }
});

test('[A33.2] masks a possible start of a key when a text is too long to search completely', () => {
  for (let at = 16_360; at < 16_390; at += 1) {
    const shown = maskSecrets('x'.repeat(at) + key, channel());
    expect(shown.replace(/^x*/, '')).toMatch(/^\*{0,3}$/);
  }
});

test('[A33.1] masks parts of a key, secrets of a key document and short-lived credentials', () => {
  const parts = channel({ key: 'my-access-key|my-secret-key-1|eu-west-1', config: { sk: 'another-secret-key' } });
  expect(maskSecrets('my-access-key my-secret-key-1 another-secret-key', parts)).toBe('*** *** ***');
  const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB'];
  const document = JSON.stringify({
    type: 'service_account',
    private_key: lines.join('\n'),
    private_key_id: 'a1b2c3d4',
  });
  const vertex = channel({ key: `eu|project|${document}` });
  expect(maskSecrets(`${lines[2]} of a1b2c3d4, a service_account`, vertex)).toBe('*** of ***, a service_account');
  const user = { type: 'authorized_user', client_secret: 'GOCSPX-abcdef123', refresh_token: '1//0gLongRefreshToken' };
  const own = channel({ key: '', config: { vertex_ai_adc: JSON.stringify(user) } });
  expect(maskSecrets('client_secret=GOCSPX-abcdef123, 1//0gLongRefreshToken of authorized_user', own)).toBe(
    'client_secret=***, *** of authorized_user',
  );
  const exchanged = channel();
  maskCredential(exchanged, '24.f0e1d2c3b4a5968778695a4b3c2d1e0f');
  expect(maskSecrets('token 24.f0e1d2c3b4a5968778695a4b3c2d1e0f expired', exchanged)).toBe('token *** expired');
});

test.each([
  ['POST https://models.corp.example:8443/base/v1/chat failed', 'POST ***/v1/chat failed'],
  ['dial tcp 10.1.2.3:8080: connection refused', 'dial tcp *** connection refused'],
  ['http://user:pw@192.168.0.7/v1 is down', '*** is down'],
  ['host=172.20.0.9, [fd12:3456::1]:80 and ::ffff:10.0.0.1', 'host=***, [***]:80 and ***'],
  ['see gateway.internal:9000 or Ollama.local or localhost.', 'see *** or *** or ***'],
  ['read tcp 10.1.2.3:54321->10.1.2.4:443: reset', 'read tcp ***>*** reset'],
  ['addr:10.1.2.3:80, ip10.1.2.3x', 'addr:***:80, ip***x'],
  ['无法连接10.1.2.3，请检查http://gateway.internal:80/x。', '无法连接***，请检查***。'],
  ['Post "http://vllm:8000/v1/chat": no such host', 'Post "***": no such host'],
  ['1.10.1.2.3 and 10.1.2.3.4 and 10.1.2.300 are not addresses', undefined],
  ['see https://platform.openai.com/account/api-keys, version 1.2.3.4', undefined],
  ['a local, internal matter: 12:30, a@b.c', undefined],
])('[A33.1] masks private addresses but not public ones: %s', (text, shown = text) => {
  expect(maskSecrets(text, channel())).toBe(shown);
});

test("[A33.1] masks the path and the internationalized host of the channel's URL", () => {
  const gateway = channel({ baseUrl: 'https://xn--bcher-kva.example/v1/account/mine' });
  expect(maskSecrets('no route for /v1/account/mine/chat at Bücher.example:443', gateway)).toBe(
    'no route for ***/chat at ***:443',
  );
});

test.each(['sk-proj-abcdefgh12345678', 'AIzaSyA1234567890abcdefghijk', 'AKIAIOSFODNN7EXAMPLE', 'gsk_abcdefgh12345678'])(
  '[A33.1] masks text that looks like a key of another account: %s',
  (other) => {
    expect(maskSecrets(`Bad key ${other}.`, channel())).toMatch(/^Bad key \*\*\*/);
  },
);

test('[A27.1] masks a worst-case error of 100,000 characters in linear time', () => {
  for (const text of ['a', '10.', 'sk-', 'eyJa.', 'a@', '://', key.slice(0, 11)]) {
    expect(maskSecrets(text.repeat(100_000 / text.length), channel()).length).toBeLessThan(100_000);
  }
});

test('[A71.5] masks credentials in headers that rules set', () => {
  const rule = (header: string, value: string) => ({
    name: 'a',
    when: { models: [], dialects: [], endpoints: [], fields: [] },
    // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
    then: [{ do: 'set_header' as const, header, value }],
  });
  const all = [rule('x-gateway-token', 'gateway-secret-1'), rule('authorization', 'Key {api_key}:more-secret-2')];
  const masked = channel({
    rules: { all: [...all, rule('x-team', 'search-team')], changesBody: false, writtenBytes: 0 },
  });
  const text = 'got gateway-secret-1 and :more-secret-2 of search-team';
  expect(maskSecrets(text, masked)).toBe('got *** and *** of search-team');
});
