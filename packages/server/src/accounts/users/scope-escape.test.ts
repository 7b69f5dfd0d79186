import {
  type AccessScope,
  accessTokenApi,
  apiTables,
  channelApi,
  type Endpoint,
  fillPath,
  logApi,
  optionApi,
  redemptionApi,
  redemptionExportApi,
  role,
  scopesOf,
  tokenApi,
  tokenExportApi,
  userApi,
} from '@headgate/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { emptyInput, endpoints, nameOf } from '../../testing/endpoints.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { rawRequest } from '../../testing/relay/raw-request.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { holder } = accessTokenFixture(app);

const guarded = endpoints.filter(({ access }) => access !== 'visitor');
const narrowScopes = ['read', 'usage', 'channels'] as const;

const outOfScope = apiFailure('The scope of this access token does not cover this endpoint');

type Holder = Awaited<ReturnType<typeof holder>>;
const holders = {} as Record<AccessScope, Holder>;
beforeAll(async () => {
  for (const scope of narrowScopes) holders[scope] = await holder(scope);
});

test.each(guarded.map((row) => ({ name: nameOf(row), row })))(
  '[A52.1] $name accepts only tokens with its scopes',
  async ({ row }) => {
    for (const scope of narrowScopes) {
      const { status, body } = await holders[scope].program.send(row, emptyInput(row));
      if (scopesOf(row).includes(scope)) {
        expect([401, 403], scope).not.toContain(status);
      } else {
        expect(status, scope).toBe(403);
        expect(body, scope).toEqual(outOfScope);
      }
    }
  },
);

/** One write endpoint of each kind, with a body that would succeed. */
const escapes: readonly { readonly row: Endpoint; readonly body?: object; readonly params?: object }[] = [
  { row: userApi.updateSelf, body: { display_name: 'taken' } },
  { row: userApi.inviteCode },
  { row: userApi.create, body: { username: 'escaped', password: 'correct horse' } },
  { row: tokenApi.create, body: { name: 'escaped', unlimited_quota: true } },
  { row: optionApi.update, body: { key: 'SystemName', value: 'taken' } },
  { row: redemptionApi.create, body: { name: 'escaped', quota: 5 } },
  { row: logApi.clean },
  { row: apiTables.userBulk.run, body: {} },
  { row: apiTables.tokenBulk.run, body: {} },
  { row: apiTables.redemptionBulk.run, body: {} },
  { row: redemptionExportApi.all },
  { row: redemptionExportApi.chosen, body: { ids: [1] } },
];

const spellings: Readonly<Record<string, (path: string) => string>> = {
  'as it is': (path) => path,
  'a trailing slash more or less': (path) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`),
  'two trailing slashes': (path) => `${path}//`,
  'upper case': (path) => path.toUpperCase(),
  'an encoded letter': (path) => path.replace('/api/', '/%61pi/'),
  'a way back': (path) => path.replace('/api/', '/api/usage/self/../../'),
  'a query that names another method': (path) => `${path}?_method=GET&scope=all`,
  'a path parameter': (path) => `${path};/api/user/self`,
};

const misleading: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-http-method-override': 'GET' },
  { 'x-method-override': 'GET' },
  { 'x-original-url': '/api/user/self' },
  { 'x-rewrite-url': '/api/user/self' },
  { 'x-access-scope': 'all' },
  {
    upgrade: 'websocket',
    connection: 'upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  },
  { accept: 'text/event-stream' },
];

/** The guard is the same for every scope, so each spelling and header is tested with only one scope. */
const keysFor = (turn: number) => rotatedSample(narrowScopes, turn, 1).map((scope) => holders[scope].key);

describe.each(escapes.map((call, turn) => ({ name: nameOf(call.row), turn, ...call })))(
  '[A52.2] $name',
  ({ row, body, params, turn }) => {
    const path = fillPath(row.path, (params ?? {}) as Record<string, unknown>);
    const sent = {
      headers: body ? { 'content-type': 'application/json' } : {},
      ...(body && { body: JSON.stringify(body) }),
    };

    test('rejects an out-of-scope token however the path is spelled', async () => {
      const methods = row.method === 'GET' ? ['GET', 'HEAD'] : [row.method];
      for (const [index, [spelling, spell]] of Object.entries(spellings).entries()) {
        for (const authorization of keysFor(turn + index)) {
          for (const method of methods) {
            const headers = { authorization, ...sent.headers };
            const response = await rawRequest(app.url, spell(path), { ...sent, method, headers });
            expect(response.status, `${spelling}: ${response.text}`).toBeGreaterThanOrEqual(400);
            expect(response.text, spelling).not.toContain('"success":true');
          }
        }
      }
    });

    test('rejects a narrow token with any additional headers', async () => {
      for (const [index, given] of misleading.entries()) {
        for (const key of keysFor(turn + index)) {
          const headers = { authorization: `Bearer ${key}`, ...given, ...sent.headers };
          const response = await rawRequest(app.url, path, { ...sent, method: row.method, headers });
          expect(response.status, `${JSON.stringify(given)}: ${response.text}`).toBe(403);
        }
      }
    });
  },
);

test('[A52.2] a read cannot be turned into a write, and the key does not work for the relay', async () => {
  const { program, user, key } = await holder('read', { display_name: 'before' });
  for (const method of ['PUT', 'POST', 'DELETE']) {
    const headers = { 'x-http-method-override': method };
    await program.request('GET', `/api/user/self?_method=${method}`, { headers, query: { display_name: 'after' } });
  }
  expect(await program.call(userApi.self)).toMatchObject({ id: user.id, display_name: 'before' });
  for (const path of ['/v1/models', '/v1beta/models', '/api/tags']) {
    for (const given of [key, `sk-${key}`]) {
      const response = await app.client().request('GET', path, { headers: { authorization: `Bearer ${given}` } });
      expect(response.status).toBe(401);
    }
  }
});

test('[A52.2] the owner’s cookie does not widen the token’s scope', async () => {
  const { user, key } = await holder('usage');
  const browser = await app.signedIn(user.username, user.password);
  const response = await browser.send(userApi.list, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(403);
  expect(response.body).toEqual(outOfScope);
});

test('[A52.3] keys of tokens and codes are shown only with full access', async () => {
  const { client, program } = await holder('read');
  const { id, key } = await client.call(tokenApi.create, { body: { name: 'spend', unlimited_quota: true } });
  const [code = ''] = await client.call(redemptionApi.create, { body: { name: 'points', quota: 500 } });
  const { rows: codes } = await client.page(redemptionApi.list, { query: {} });
  const readings: readonly (readonly [Endpoint, object])[] = [
    [tokenApi.list, {}],
    [tokenApi.search, { query: { keyword: 'spend' } }],
    [tokenApi.get, { params: { id } }],
    [redemptionApi.list, {}],
    [redemptionApi.search, { query: { keyword: 'points' } }],
    [redemptionApi.get, { params: { id: codes[0]?.id } }],
    [tokenExportApi.all, { query: { format: 'jsonl' } }],
  ];
  for (const [row, input] of readings) {
    const result = await program.send(row, input);
    expect(result.status).toBe(200);
    expect(result.text, row.path).toMatch(/spend|points/);
    expect(result.text).not.toContain(key);
    expect(result.text).not.toContain(code);
  }
  expect(await client.call(tokenApi.get, { params: { id } })).toMatchObject({ key });
});

test('[A52.5] a token revoked during an export cannot start another one; the running export completes', async () => {
  const { client, id, key, program } = await holder('usage', { role: role.admin });
  const response = await fetch(`${app.url}/api/log/export?format=jsonl`, { headers: { authorization: key } });
  expect(response.status).toBe(200);
  await client.call(accessTokenApi.revoke, { params: { id } });
  expect((await program.send(logApi.export, { query: {} })).status).toBe(401);
  const lines = (await response.text()).trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ complete: true });
});

test('[A52.8] metrics are shown to an admin’s token with the read scope', async () => {
  const statusOf = async (scope: AccessScope, given: { role: number }) => {
    const { key } = await holder(scope, given);
    // Through a proxy, because localhost needs no token.
    const headers = { authorization: key, 'x-forwarded-for': '203.0.113.9' };
    return (await app.client().request('GET', '/metrics', { headers })).status;
  };
  expect(await statusOf('all', { role: role.admin })).toBe(200);
  expect(await statusOf('read', { role: role.admin })).toBe(200);
  expect(await statusOf('usage', { role: role.root })).toBe(403);
  expect(await statusOf('channels', { role: role.root })).toBe(403);
  expect(await statusOf('read', { role: role.common })).toBe(403);
});

test('a token with the channels scope creates, reads, changes and deletes channels', async () => {
  const { program } = holders.channels;
  await program.call(channelApi.create, { body: { name: 'by program', key: 'sk-x', models: 'm' } });
  const { rows: channels } = await program.page(channelApi.search, { query: { keyword: 'by program' } });
  const id = channels[0]?.id ?? 0;
  expect(await program.call(channelApi.update, { body: { id, priority: 3 } })).toMatchObject({ id, priority: 3 });
  await program.call(channelApi.remove, { params: { id } });
  expect((await program.page(channelApi.search, { query: { keyword: 'by program' } })).total).toBe(0);
});
