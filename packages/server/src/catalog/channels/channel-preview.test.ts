import { channelApi, channelPreviewApi } from '@headgate/contract';
import { StubUpstream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const upstream = await StubUpstream.start();
afterAll(() => upstream.close());

const key = 'their-key-123456';
const rulesOf = (...then: readonly object[]) => JSON.stringify([{ name: 'first', then }]);
const rules = rulesOf(
  { do: 'default', path: 'temperature', value: 0 },
  { do: 'set_header', header: 'X-Gateway', value: 'Key {api_key}' },
  { do: 'pass_header', header: 'X-Trace' },
);

async function channelOf(type: number, fields: object = {}): Promise<number> {
  const name = `of-${type}-${Math.random()}`;
  const body = { name, type, key, base_url: upstream.url, models: 'm1,m2', group: 'g', rules, ...fields };
  await admin.call(channelApi.create, { body });
  const [row] = await admin.call(channelApi.search, { query: { keyword: name } });
  return row?.id ?? 0;
}
const preview = (id: number, body: object = {}) => admin.call(channelPreviewApi.show, { params: { id }, body });

test('shows the request with masked keys and the rules that applied, and sends nothing', async () => {
  const shown = await preview(await channelOf(8), { headers: { 'X-Trace': 't1' } });
  expect(shown).toMatchObject({
    method: 'POST',
    url: `${upstream.url}/v1/chat/completions`,
    headers: { authorization: 'Bearer ***', 'x-gateway': 'Key ***', 'x-trace': 't1' },
    rules: ['first'],
  });
  expect(JSON.parse(shown.body)).toEqual({
    model: 'm1',
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0,
  });
  expect(upstream.received).toEqual([]);
});

test.each([1, 3, 14, 15, 16, 17, 18, 24, 33, 42])('never shows the key of a channel of type %i', async (type) => {
  const config = JSON.stringify({ region: 'us-east-1', ak: 'access-key-1234567', sk: 'secret-key-1234567' });
  const { body } = await admin.send(channelPreviewApi.show, {
    params: { id: await channelOf(type, { config, other: 'v1', rules: '' }) },
    body: { body: JSON.stringify({ model: 'm1', messages: [{ role: 'user', content: 'hi' }] }) },
  });
  expect(JSON.stringify(body)).not.toMatch(/their-key|secret-key-1234567|Signature=[0-9a-f]/);
});

test('[A71.1] does not reveal whether text sent by the caller is part of the key', async () => {
  const guesses = [key, key.slice(0, 12), Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')];
  for (const text of guesses) {
    const body = JSON.stringify({ model: 'm1', messages: [{ role: 'user', content: text }] });
    const shown = await preview(await channelOf(8), { body, headers: { 'X-Trace': text } });
    expect(shown.headers).toMatchObject({ 'x-trace': text });
    expect(JSON.parse(shown.body)).toMatchObject({ messages: [{ content: text }] });
  }
});

test("[A71.5] does not reveal a rule's credential, or whether text sent by the caller is part of it", async () => {
  const secret = 'rule-credential-123456';
  const set = (header: string, value: string) => ({ do: 'set_header', header, value });
  const id = await channelOf(8, { rules: rulesOf(set('x-gateway-token', secret), set('x-jwt', 'eyJ')) });
  const shown = await preview(id, { headers: { 'X-Trace': secret } });
  expect(shown.headers).toMatchObject({ 'x-gateway-token': '***', 'x-jwt': '***' });
  const pass = { do: 'pass_header', header: 'X-Trace' };
  const probing = rulesOf(set('x-gateway-token', ''), set('x-note', secret.slice(0, 14)), pass);
  const probed = await preview(id, { rules: probing, headers: { 'X-Trace': secret } });
  expect(probed.headers).toMatchObject({ 'x-gateway-token': '***', 'x-note': secret.slice(0, 14), 'x-trace': secret });
});

test('shows the translated request of another dialect', async () => {
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  const shown = await preview(await channelOf(14), { endpoint: 'generateContent', model: 'm2', body });
  expect(shown.url).toBe(`${upstream.url}/v1/messages`);
  expect(shown.headers['x-api-key']).toBe('***');
  expect(JSON.parse(shown.body)).toMatchObject({ model: 'm2', temperature: 0 });
});

test('applies unsaved rules without saving them', async () => {
  const id = await channelOf(8);
  const shown = await preview(id, { rules: rulesOf({ do: 'set', path: 'top_p', value: 1 }) });
  expect(JSON.parse(shown.body)).toMatchObject({ top_p: 1 });
  expect((await admin.call(channelApi.get, { params: { id } })).rules).toContain('temperature');
});

test.each([
  [{ rules: rulesOf({ do: 'reject', message: 'Use v2' }) }, 'The request would be rejected: Use v2'],
  [
    { rules: rulesOf({ do: 'set', path: 'service_tier', value: 'priority' }) },
    'The request would be rejected: A rule of the channel cannot be applied: service_tier with this value has no price on this gateway',
  ],
  [{ rules: '[{}]' }, /^The rules are invalid at 0\./],
  [{ body: '{"model":' }, 'The request would be rejected: The body is not valid JSON'],
])('returns the reason for %j', async (body, message) => {
  const id = await channelOf(8);
  const { body: response } = await admin.send(channelPreviewApi.show, { params: { id }, body });
  const expected = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(response).toMatchObject({ success: false, message: expected });
});
