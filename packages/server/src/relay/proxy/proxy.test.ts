import { reply, StubUpstream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const upstream = await StubUpstream.start((response, request) => {
  response.writeHead(201, { 'content-type': 'text/plain', 'x-total-count': '7', 'set-cookie': 'a=b' });
  response.end(`${request.method} ${request.path}`);
});
const scene = await relayFixture(app, { upstreams: [reply({})] });
const stranger = await relayFixture(app, { upstreams: [reply({})] });
afterAll(() => Promise.all([upstream.close(), scene.close(), stranger.close()]));

await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: 'Basic their-secret', models: '' });
const { id } = await app.database.selectFrom('channels').select('id').where('type', '=', 43).executeTakeFirstOrThrow();

const call = (path: string, init: RequestInit = {}, key = scene.token.key) =>
  fetch(`${app.url}${path}`, { ...init, headers: { authorization: `Bearer sk-${key}`, ...init.headers } });

test.each(['/v1/proxy', '/v1/oneapi/proxy'])(
  "[A22.3 A15.6] %s forwards a request with the channel's key and logs it",
  async (prefix) => {
    const before = (await scene.books()).logs.length;
    const response = await call(`${prefix}/${id}/v2/balance?x=1&y=%2F`, {
      headers: { cookie: 'session=secret', 'x-own': '1' },
    });
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('GET /v2/balance?x=1&y=%2F');
    expect(response.headers.get('x-total-count')).toBe('7');
    expect(response.headers.get('set-cookie')).toBeNull();
    const seen = upstream.received.at(-1);
    expect(seen?.headers).toMatchObject({ authorization: 'Basic their-secret', 'x-own': '1' });
    expect(seen?.headers.cookie).toBeUndefined();
    const { logs, user } = await scene.books();
    expect(logs).toHaveLength(before + 1);
    expect(user.used_quota).toBe(0);
  },
);

test('forwards bodies and other methods', async () => {
  const response = await call(`/v1/proxy/${id}/things/7`, { method: 'DELETE', body: '{"a":1}' });
  expect(await response.text()).toBe('DELETE /things/7');
  expect(upstream.received.at(-1)?.body).toEqual({ a: 1 });
});

test.each([
  ['a channel of another type', () => call('/v1/proxy/1/v1/models')],
  ['a channel that does not exist', () => call('/v1/proxy/999999/x')],
  ['another group’s channel', () => call(`/v1/proxy/${id}/x`, {}, stranger.token.key)],
])('[A15.2] returns 404 for %s', async (_, act) => {
  const before = upstream.received.length;
  const response = await act();
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'no_channel' } });
  expect(upstream.received).toHaveLength(before);
});

test('rejects a request without a token', async () => {
  expect((await fetch(`${app.url}/v1/proxy/${id}/x`)).status).toBe(401);
});

test('[A15.6] returns and logs an error for an unreachable upstream without its address', async () => {
  const gone = await StubUpstream.start();
  await createChannel(scene.admin, scene.group, gone.url, { type: 43, key: 'Basic gone', models: '', name: 'gone' });
  await gone.close();
  const row = await app.database
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'gone')
    .executeTakeFirstOrThrow();
  const before = (await scene.books()).logs.length;
  const response = await call(`/v1/proxy/${row.id}/x`);
  expect(response.status).toBe(502);
  const { logs, drift } = await scene.books();
  expect(logs.slice(before)).toMatchObject([{ type: 5, quota: 0, channel: row.id }]);
  expect(drift).toBe(0);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe('upstream_unreachable');
  expect(error.message).not.toContain(new URL(gone.url).port);
});

test('[A33.1] masks keys and private addresses in upstream errors and headers', async () => {
  const key = 'Basic dGhlaXItc2VjcmV0LWtleQ';
  const page = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe]);
  const quoting = await StubUpstream.start((response, request) => {
    const { authorization, host } = request.headers;
    const status = Number(request.path.slice(1, 4));
    response.writeHead(status, { 'x-quoted': `${authorization}`, location: `http://${host}/login`, etag: '"kept"' });
    if (request.path.endsWith('long')) response.write('x'.repeat(100_000));
    else if (request.path.endsWith('bytes')) response.write(page);
    else response.write(`{"error":"${authorization} is not known to 10.0.0.7:80 (http://${host})"}`);
    response.end();
  });
  await createChannel(scene.admin, scene.group, quoting.url, { type: 43, key, models: '', name: 'quoting' });
  const row = await app.database
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'quoting')
    .executeTakeFirstOrThrow();
  const secrets = new RegExp(`dGhlaXI|c2VjcmV0|10\\.0\\.0|${new URL(quoting.url).port}`);
  for (const status of [302, 400, 401, 500]) {
    const response = await call(`/v1/proxy/${row.id}/${status}`, { redirect: 'manual' });
    expect(response.status).toBe(status);
    expect(JSON.stringify([...response.headers])).not.toMatch(secrets);
    expect(response.headers.get('etag')).toBe('"kept"');
    const text = await response.text();
    if (status >= 400) expect(text).toBe('{"error":"*** is not known to *** (***)"}');
  }
  const bytes = await call(`/v1/proxy/${row.id}/404/bytes`);
  expect(Buffer.from(await bytes.arrayBuffer())).toEqual(page);
  const long = await call(`/v1/proxy/${row.id}/500/long`);
  expect((await long.text()).length).toBeGreaterThan(10_000);
  await quoting.close();
});
