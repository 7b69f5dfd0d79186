import { type Data, type Token, tokenApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const create = (client: ApiClient, body: object) => client.send(tokenApi.create, { body });
const update = (client: ApiClient, body: object, query = {}) => client.send(tokenApi.update, { body, query });
const made = (client: ApiClient, body: object = {}) =>
  client.call(tokenApi.create, { body: { name: 'made', unlimited_quota: true, ...body } });

const rowOf = (id: number) =>
  app.database
    .selectFrom(currentTable(app.database, 'tokens'))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const countOf = async () =>
  (await app.database.selectFrom(currentTable(app.database, 'tokens')).select('id').execute()).length;

const rejected = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

describe('[S7.49] creating a token', () => {
  test('returns every field, with defaults for fields not given', async () => {
    const owner = await app.createUser();
    const client = await app.signedIn(owner.username, owner.password);
    const before = nowInSeconds();
    const { body } = await create(client, { name: 'first' });
    const { data } = body as { data: Token };
    const expected: Data<typeof tokenApi.create> = {
      id: expect.any(Number),
      user_id: owner.id,
      key: expect.stringMatching(/^[0-9A-Za-z]{48}$/),
      status: 4,
      name: 'first',
      created_time: expect.any(Number),
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: false,
      used_quota: 0,
      models: '',
      subnet: '',
      note: '',
      groups: '',
      dialects: '',
      endpoints: '',
      is_bound: false,
      old_key_until: 0,
      is_locked: false,
      lock_reason: '',
      fixed_tags: '',
    };
    expect(body).toEqual({ success: true, message: '', data: expected });
    expect(data.created_time).toBeGreaterThanOrEqual(before);
    expect(data.created_time).toBeLessThanOrEqual(nowInSeconds());
  });

  test('[S1.5] [S3.38] [S3.39] [S3.40] [S3.41] stores all given fields, and drops blank and duplicate entries', async () => {
    const client = await app.as('user');
    const expired_time = nowInSeconds() + 3600;
    const token = await client.call(tokenApi.create, {
      body: {
        name: '  令牌 🔑 one  ',
        expired_time,
        remain_quota: 500_000,
        unlimited_quota: true,
        models: ' gpt-4o, , gpt-4o,claude-3 ,',
        subnet: ' 10.0.0.0/8 ,, fd00::/8,10.0.0.0/8',
      },
    });
    const given = { name: '令牌 🔑 one', expired_time, remain_quota: 500_000, models: 'gpt-4o,claude-3' };
    expect(token).toMatchObject({ ...given, unlimited_quota: true, subnet: '10.0.0.0/8,fd00::/8', status: 1 });
    expect(await rowOf(token.id)).toMatchObject({ ...given, unlimited_quota: 1, subnet: '10.0.0.0/8,fd00::/8' });
    expect(await client.call(tokenApi.get, { params: { id: token.id } })).toEqual(token);
  });

  test.each([0, -1])('expiry %i creates a token that never expires', async (expired_time) => {
    expect(await made(await app.as('user'), { expired_time })).toMatchObject({ expired_time: -1, status: 1 });
  });

  test('ignores fields that the owner may not set', async () => {
    const other = await app.createUser();
    const client = await app.as('user');
    const token = await made(client, {
      id: 77_777,
      user_id: other.id,
      key: 'a'.repeat(48),
      key_hash: 'x',
      key_sealed: 'x',
      status: 2,
      used_quota: -5,
      created_time: 1,
      accessed_time: 1,
      constructor: { name: 'x' },
    });
    expect(token.id).not.toBe(77_777);
    expect(token.user_id).not.toBe(other.id);
    expect(token.key).not.toBe('a'.repeat(48));
    expect(token).toMatchObject({ status: 1, used_quota: 0, accessed_time: 0 });
    expect(token.created_time).toBeGreaterThan(1);
  });

  test('accepts the longest name and the largest quota', async () => {
    const client = await app.as('user');
    const largest = 1_000_000_000_000_000;
    const token = await made(client, { name: '字'.repeat(30), remain_quota: largest, unlimited_quota: false });
    expect(token).toMatchObject({ name: '字'.repeat(30), remain_quota: largest, status: 1 });
  });
});

const badFields: [object, string][] = [
  [{ name: '' }, 'name'],
  [{ name: '   ' }, 'name'],
  [{ name: 'x'.repeat(31) }, 'name'],
  [{ name: 7 }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 'a\u0000b' }, '\\\\u0000'],
  [{ remain_quota: -1 }, 'remain_quota'],
  [{ remain_quota: 1.5 }, 'remain_quota'],
  [{ remain_quota: '5' }, 'remain_quota'],
  [{ remain_quota: null }, 'remain_quota'],
  [{ remain_quota: 1_000_000_000_000_001 }, 'remain_quota'],
  [{ remain_quota: 1e300 }, 'remain_quota'],
  [{ unlimited_quota: 1 }, 'unlimited_quota'],
  [{ unlimited_quota: 'true' }, 'unlimited_quota'],
  [{ expired_time: -2 }, 'expired_time'],
  [{ expired_time: 1.5 }, 'expired_time'],
  [{ expired_time: 1e12 }, 'expired_time'],
  [{ expired_time: 'never' }, 'expired_time'],
  [{ models: ['gpt-4o'] }, 'models'],
  [{ models: 'x'.repeat(20_001) }, 'models'],
  [{ subnet: 5 }, 'subnet'],
  [{ subnet: '1.1.1.1,'.repeat(501) }, 'subnet'],
];

describe('[A7.1] invalid token fields', () => {
  test.each(badFields)('rejects %j on creation', async (bad, field) => {
    const client = await app.as('user');
    const before = await countOf();
    const response = await create(client, { name: 'fine', ...bad });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected(new RegExp(`^Invalid parameter: ${field}`)));
    expect(await countOf()).toBe(before);
  });

  test.each(badFields)('rejects %j on update', async (bad, field) => {
    const client = await app.as('user');
    const { id } = await made(client);
    const before = await rowOf(id);
    const response = await update(client, { id, ...bad });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected(new RegExp(`^Invalid parameter: ${field}`)));
    expect(await rowOf(id)).toEqual(before);
  });

  test.each([undefined, {}, [], 'text', 7])('rejects the body %j', async (body) => {
    const client = await app.as('user');
    expect((await client.send(tokenApi.create, { body })).status).toBe(400);
  });

  test('rejects a body that sets __proto__', async () => {
    const client = await app.as('user');
    const rawBody = '{"name":"x","__proto__":{"unlimited_quota":true}}';
    const response = await client.send(tokenApi.create, { rawBody, headers: { 'content-type': 'application/json' } });
    expect(response.body).not.toMatchObject({ data: { unlimited_quota: true } });
  });
});

describe('[S7.50] updating a token', () => {
  test('an update changes only the given fields', async () => {
    const client = await app.as('user');
    const token = await made(client, { remain_quota: 5, models: 'a,b', subnet: '::1' });
    const changes: object[] = [
      { name: 'renamed' },
      { remain_quota: 0 },
      { models: '' },
      { subnet: '' },
      { unlimited_quota: false, remain_quota: 7 },
      { expired_time: nowInSeconds() + 60 },
      { expired_time: -1 },
      {},
    ];
    let expected: object = await rowOf(token.id);
    for (const change of changes) {
      const { body } = await update(client, { id: token.id, ...change });
      expected = { ...expected, ...change, ...('unlimited_quota' in change && { unlimited_quota: 0 }) };
      expect(await rowOf(token.id)).toEqual(expected);
      expect(body).toEqual({
        success: true,
        message: '',
        data: await client.call(tokenApi.get, { params: { id: token.id } }),
      });
    }
  });

  test('accepts a complete row as returned by the API', async () => {
    const client = await app.as('user');
    const token = await made(client, { name: 'shown', unlimited_quota: false });
    expect(token.status).toBe(4);
    const before = await rowOf(token.id);
    const { body } = await update(client, { ...token, name: 'renamed' });
    expect(body).toEqual({ success: true, message: '', data: { ...token, name: 'renamed' } });
    expect(await rowOf(token.id)).toEqual({ ...before, name: 'renamed' });
  });

  test('cannot set the key, the owner, the usage or another id', async () => {
    const other = await app.createUser();
    const client = await app.as('user');
    const { id } = await made(client);
    const before = await rowOf(id);
    await update(client, { id, user_id: other.id, key: 'x', key_hash: 'x', used_quota: 9, created_time: 1 });
    expect(await rowOf(id)).toEqual(before);
  });

  test.each([0, -1, 1.5, '1', null, undefined, 2 ** 60])('requires an id: %j', async (id) => {
    const response = await update(await app.as('user'), { id, name: 'x' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected(/^Invalid parameter: id/));
  });
});

test('[S7.52] a deleted token is not found', async () => {
  const client = await app.as('user');
  const { id } = await made(client);
  const kept = await made(client);
  const { body } = await client.send(tokenApi.remove, { params: { id } });
  expect(body).toEqual({ success: true, message: '' });
  for (const endpoint of [tokenApi.remove, tokenApi.get]) {
    expect((await client.send(endpoint, { params: { id } })).body).toEqual(rejected('Not found'));
  }
  expect((await update(client, { id, name: 'x' })).body).toEqual(rejected('Not found'));
  expect((await client.page(tokenApi.list, { query: {} })).rows.map((row) => row.id)).toEqual([kept.id]);
});

describe('[S7.48] [A14.1] another user’s token is not found', () => {
  test.each(['user', 'admin', 'root'] as const)('returns "not found" to %s', async (access) => {
    const owner = await app.as('user');
    const { id, key } = await made(owner, { name: 'hidden' });
    const before = await rowOf(id);
    const other = await app.as(access);
    const responses = [
      await other.send(tokenApi.get, { params: { id } }),
      await update(other, { id, name: 'mine' }),
      await update(other, { id, status: 2 }, { status_only: 'true' }),
      await other.send(tokenApi.remove, { params: { id } }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.body).toEqual(rejected('Not found'));
      expect(response.text).not.toContain(key);
    }
    expect(await rowOf(id)).toEqual(before);
    expect(await other.page(tokenApi.list, { query: {} })).toEqual({ rows: [], total: 0 });
    expect(await other.page(tokenApi.search, { query: { keyword: 'hidden' } })).toEqual({ rows: [], total: 0 });
    expect(await other.call(tokenApi.counts)).toEqual({});
  });

  test('returns "not found" in Chinese', async () => {
    const client = await app.as('user');
    const response = await client.send(tokenApi.get, {
      params: { id: 999_999 },
      headers: { 'accept-language': 'zh-CN' },
    });
    expect(response.body).toEqual(rejected('记录不存在'));
  });

  test.each(['x', '0', '-1', '1.5', '1e400', '9'.repeat(30), '%00', '1;drop'])('rejects the id %j', async (id) => {
    const client = await app.as('user');
    expect((await client.send(tokenApi.get, { params: { id } })).status).toBe(400);
    expect((await client.send(tokenApi.remove, { params: { id } })).status).toBe(400);
  });
});
