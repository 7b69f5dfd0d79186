import { tokenApi, totalHeader } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import type { Insertable } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schema } from '../../platform/db/schema.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { useTestApp } from '../../testing/test-app.ts';

type NewToken = Partial<Insertable<Schema['tokens']>>;

const app = await useTestApp();

/** Creates a user and these tokens, keyed by name: each is created through the API and then updated in the table. */
async function ownerOf(tokens: Readonly<Record<string, NewToken>>): Promise<ApiClient> {
  const client = await app.as('user');
  for (const [name, given] of Object.entries(tokens)) {
    const { id } = await client.call(tokenApi.create, { body: { name, unlimited_quota: true } });
    if (Object.keys(given).length > 0)
      await app.database.updateTable('tokens').set(given).where('id', '=', id).execute();
  }
  return client;
}

type Query = Readonly<Record<string, unknown>>;

const listed = async (client: ApiClient, query: Query) => {
  const { body } = await client.send(tokenApi.list, { query });
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

const limited = (remain_quota: number) => ({ unlimited_quota: 0, remain_quota });
const later = nowInSeconds() + 100_000;

describe('[S7.46] token list', () => {
  test('the token list is empty for a new user', async () => {
    const response = await (await app.as('user')).send(tokenApi.list);
    expect(response.headers.get(totalHeader)).toBe('0');
    expect(response.body).toEqual({ success: true, message: '', data: [] });
  });

  test('returns the newest first, ten per page, with the total count', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `token ${index}`);
    const client = await ownerOf(Object.fromEntries(names.map((name) => [name, {}])));
    const newestFirst = names.toReversed();
    for (const [query, expected] of [
      [{}, newestFirst.slice(0, 10)],
      [{ p: 0 }, newestFirst.slice(0, 10)],
      [{ p: 1 }, newestFirst.slice(10)],
      [{ p: 2 }, []],
      [{ p: 1_000_000_000 }, []],
      [{ size: 100 }, newestFirst],
      [{ size: 7, p: 2 }, newestFirst.slice(14)],
      [{ size: 1, p: 19 }, newestFirst.slice(19)],
    ] as const) {
      const response = await client.send(tokenApi.list, { query });
      expect(response.headers.get(totalHeader)).toBe('20');
      expect((response.body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(expected);
    }
  });

  test('accepts the path without the trailing slash', async () => {
    const client = await ownerOf({ one: {} });
    const [withSlash, without] = [
      await client.request('GET', '/api/token/'),
      await client.request('GET', '/api/token'),
    ];
    expect(without.body).toEqual(withSlash.body);
    expect(without.status).toBe(200);
  });

  test.each([
    { p: -1 },
    { p: 'x' },
    { p: 1.5 },
    { size: 0 },
    { size: 101 },
    { sort: 'key_hash' },
    { sort: '' },
    { direction: 'up' },
  ])('rejects the list query %j', async (query) => {
    const response = await (await app.as('user')).send(tokenApi.list, { query });
    expect(response.status).toBe(400);
  });
});

describe('[A26.1] token list order', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await ownerOf({
      b: { ...limited(10), used_quota: 7, expired_time: later, created_time: 5 },
      A: { ...limited(500), used_quota: 7, expired_time: later + 1, created_time: 4 },
      É: { unlimited_quota: 1, remain_quota: 0, used_quota: 0, created_time: 3 },
      d: { ...limited(0), used_quota: 9_000_000_000_000, expired_time: 1, created_time: 2 },
      c: { unlimited_quota: 1, remain_quota: 3, used_quota: 1, status: 2, created_time: 1 },
    });
  });

  test.each<[Query, string]>([
    [{ order: '' }, 'c d É A b'],
    [{ order: 'something else' }, 'c d É A b'],
    [{ order: 'remain_quota' }, 'c É A b d'],
    [{ order: 'used_quota' }, 'd A b c É'],
    [{ sort: 'id' }, 'b A É d c'],
    [{ sort: 'id', direction: 'desc' }, 'c d É A b'],
    [{ sort: 'name' }, 'A b c d É'],
    [{ sort: 'name', direction: 'desc' }, 'É d c b A'],
    [{ sort: 'status' }, 'b A É c d'],
    [{ sort: 'status', direction: 'desc' }, 'd c É A b'],
    [{ sort: 'used_quota' }, 'É c b A d'],
    [{ sort: 'remain_quota' }, 'd b A É c'],
    [{ sort: 'remain_quota', direction: 'desc' }, 'c É A b d'],
    [{ sort: 'created_time' }, 'c d É A b'],
    [{ sort: 'expired_time' }, 'd b A É c'],
    [{ sort: 'expired_time', direction: 'desc' }, 'c É A b d'],
    [{ sort: 'name', order: 'used_quota' }, 'A b c d É'],
  ])('sorts by %j', async (query, expected) => {
    expect((await listed(client, query)).join(' ')).toBe(expected);
  });

  test('keeps a stable order across pages', async () => {
    const pages = [0, 1, 2].map((p) => listed(client, { order: 'remain_quota', size: 2, p }));
    expect((await Promise.all(pages)).flat().join(' ')).toBe('c É A b d');
  });
});

describe('token status', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await ownerOf({
      enabled: {},
      'enabled too': { ...limited(1), expired_time: later },
      disabled: { status: 2 },
      'disabled and expired': { status: 2, expired_time: 1 },
      expired: { expired_time: 1 },
      'expired and empty': { ...limited(0), expired_time: 1 },
      empty: limited(0),
      overdrawn: limited(-5),
      'written as expired': { status: 3, expired_time: 1 },
      'written as empty': { status: 4, ...limited(0) },
      'no longer expired': { status: 3, expired_time: later },
      'no longer empty': { status: 4, ...limited(7) },
    });
  });

  const byStatus: Readonly<Record<number, readonly string[]>> = {
    1: ['no longer empty', 'no longer expired', 'enabled too', 'enabled'],
    2: ['disabled and expired', 'disabled'],
    3: ['written as expired', 'expired and empty', 'expired'],
    4: ['written as empty', 'overdrawn', 'empty'],
  };

  test('token status is the same in the list, in search results and in a single read', async () => {
    const { rows } = await client.page(tokenApi.list, { query: { size: 100 } });
    expect(rows).toHaveLength(12);
    expect(await client.call(tokenApi.search, { query: { size: 100 } })).toEqual(rows);
    for (const row of rows) {
      expect(byStatus[row.status], row.name).toContain(row.name);
      expect(await client.call(tokenApi.get, { params: { id: row.id } })).toEqual(row);
    }
  });

  test.each([1, 2, 3, 4])('filters the list by status %i', async (status) => {
    expect(await listed(client, { status })).toEqual(byStatus[status]);
    const { total } = await client.page(tokenApi.list, { query: { status, size: 1 } });
    expect(total).toBe(byStatus[status]?.length);
  });

  test('filters a search by status', async () => {
    const { rows, total } = await client.page(tokenApi.search, { query: { keyword: 'EXPIRED', status: 2 } });
    expect(rows.map(({ name }) => name)).toEqual(['disabled and expired']);
    expect(total).toBe(1);
  });

  test('counts tokens by status', async () => {
    expect(await client.call(tokenApi.counts)).toEqual({ 1: 4, 2: 2, 3: 3, 4: 3 });
  });

  test.each([5, 1000])('returns an empty list for the unknown status %i', async (status) => {
    expect(await client.page(tokenApi.list, { query: { status } })).toEqual({ rows: [], total: 0 });
  });

  test.each([{ status: '' }, { status: 0 }])('applies no filter for %j', async (query) => {
    expect(await listed(client, { ...query, size: 100 })).toHaveLength(12);
  });

  test.each(['x', '-1', '1.5', '1 or 1=1'])('rejects the status %j', async (status) => {
    expect((await client.send(tokenApi.list, { query: { status } })).status).toBe(400);
  });
});

describe('[S2.128] [S7.47] [A26.1] token search', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await ownerOf({
      'Alpha one': {},
      '50%_off': {},
      'back\\slash': {},
      'École Ünïcode': {},
      令牌二: {},
      "it's": {},
    });
  });

  test.each<[string, string[]]>([
    ['alpha', ['Alpha one']],
    ['PHA O', ['Alpha one']],
    ['  alpha  ', ['Alpha one']],
    ['%', ['50%_off']],
    ['_', ['50%_off']],
    ['50%_', ['50%_off']],
    ['5_', []],
    ['\\', ['back\\slash']],
    ['école', ['École Ünïcode']],
    ['ÜNÏ', ['École Ünïcode']],
    ['牌', ['令牌二']],
    ["'", ["it's"]],
    ["' or 1=1 --", []],
    ['nothing like it', []],
    ['', ["it's", '令牌二', 'École Ünïcode', 'back\\slash', '50%_off', 'Alpha one']],
  ])('a search for %j finds the matching tokens', async (keyword, expected) => {
    const { rows, total } = await client.page(tokenApi.search, { query: { keyword } });
    expect(rows.map(({ name }) => name)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test('pages and sorts like the list', async () => {
    const query = { keyword: 'o', sort: 'name', size: 1 } as const;
    const names = await Promise.all([0, 1, 2, 3].map((p) => client.page(tokenApi.search, { query: { ...query, p } })));
    expect(names.map(({ rows }) => rows.map(({ name }) => name))).toEqual([
      ['50%_off'],
      ['Alpha one'],
      ['École Ünïcode'],
      [],
    ]);
    expect(names.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
  });

  test('ignores keys, models and ids', async () => {
    const [row] = (await client.page(tokenApi.list, { query: {} })).rows;
    for (const keyword of [row?.key.slice(0, 20) ?? '', '00000000']) {
      expect((await client.page(tokenApi.search, { query: { keyword } })).total).toBe(0);
    }
  });

  test('rejects a keyword longer than 300 characters', async () => {
    expect((await client.send(tokenApi.search, { query: { keyword: 'x'.repeat(301) } })).status).toBe(400);
  });
});
