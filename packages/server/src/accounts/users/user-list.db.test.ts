import { type Data, type Input, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { type NewTestUser, useTestApp } from '../../testing/test-app.ts';

/** With root (1) and the admin (2): ids 3 to 14; the last one is deleted. */
const people: readonly NewTestUser[] = [
  { username: 'ada', display_name: 'Ada Lovelace', email: 'ada@example.com', quota: 30, group: 'vip' },
  { username: 'Bob', display_name: 'ÄÖÜ Größe', quota: 10, used_quota: 5, request_count: 2 },
  { username: 'carol_c', display_name: '100% sure', quota: 20, used_quota: 9, request_count: 9 },
  { username: 'carolXc', display_name: '张三', status: userStatus.disabled },
  { username: 'dave\\d', display_name: 'ПРИВЕТ', email: 'Dave@Example.org' },
  { username: 'eve', display_name: 'ΣΊΣΥΦΟΣ', quota: 30 },
  { username: 'user9', display_name: '' },
  { username: 'user10', display_name: '3' },
  { username: 'user11', display_name: '' },
  { username: 'user12', display_name: '' },
  { username: 'user13', display_name: '' },
  { username: 'gone', display_name: 'Ada too', email: 'gone@example.com', status: userStatus.deleted, quota: 99 },
];

const app = await useTestApp();
const admin = await app.as('admin');
for (const person of people) await app.createUser(person);

type Query = Input<typeof userApi.list>['query'];

const idsOf = async (query: object) => {
  const { rows, total } = await admin.page(userApi.list, { query: query as Query });
  return { ids: rows.map(({ id }) => id), total };
};
const found = async (keyword: string, query: Query = {}) => {
  const { rows, total } = await admin.page(userApi.search, { query: { keyword, ...query } });
  expect(total).toBe(rows.length);
  return rows.map(({ username }) => username).sort();
};

describe('[S7.20] user list', () => {
  test('returns ten per page, newest first, without deleted users, with the total count', async () => {
    expect(await idsOf({})).toEqual({ ids: [13, 12, 11, 10, 9, 8, 7, 6, 5, 4], total: 13 });
    expect(await idsOf({ p: 1 })).toEqual({ ids: [3, 2, 1], total: 13 });
    expect(await idsOf({ p: 2 })).toEqual({ ids: [], total: 13 });
  });

  test('rows contain all fields and no secret', async () => {
    await app.database
      .updateTable('users')
      .set({ access_token_hash: 'secret-hash' })
      .where('username', '=', 'ada')
      .execute();
    const response = await admin.send(userApi.search, { query: { keyword: 'lovelace' } });
    const expected: Data<typeof userApi.list> = [
      {
        id: 3,
        username: 'ada',
        display_name: 'Ada Lovelace',
        role: 1,
        status: 1,
        email: 'ada@example.com',
        github_id: '',
        wechat_id: '',
        lark_id: '',
        oidc_id: '',
        quota: 30,
        used_quota: 0,
        request_count: 0,
        group: 'vip',
        aff_code: '',
        inviter_id: 0,
        tokens_locked: false,
      },
    ];
    expect(response.body).toEqual({ success: true, message: '', data: expected });
    expect(response.text).not.toMatch(/hash|argon2|credited/);
  });

  test.each([
    ['quota', [1, 8, 3, 5, 4]],
    ['used_quota', [5, 4, 13, 12, 11]],
    ['request_count', [5, 4, 13, 12, 11]],
    ['', [13, 12, 11, 10, 9]],
  ])('[S7.21] [S2.72] sorts by %j in descending order', async (order, ids) => {
    expect(await idsOf({ order, size: 5 })).toEqual({ ids, total: 13 });
  });

  test('uses the default order for an unknown sort order', async () => {
    for (const order of ['password_hash', 'id; drop table users', '__proto__', 'quota desc']) {
      expect((await idsOf({ order, size: 2 })).ids).toEqual([13, 12]);
    }
  });

  test.each([
    [{ sort: 'id', direction: 'asc' }, [1, 2, 3]],
    [{ sort: 'id', direction: 'desc' }, [13, 12, 11]],
    [{ sort: 'id' }, [1, 2, 3]],
    [{ sort: 'username', direction: 'asc' }, [3, 4, 5]],
    [{ sort: 'quota', direction: 'desc' }, [1, 8, 3]],
    [{ sort: 'role', direction: 'desc' }, [1, 2, 13]],
    [{ sort: 'status', direction: 'desc' }, [6, 13, 12]],
    [{ sort: 'group', direction: 'desc' }, [3, 13, 12]],
    [{ sort: 'used_quota', direction: 'desc', order: 'quota' }, [5, 4, 13]],
  ])('[S2.70] %j sorts across all pages, with newer users first among equal values', async (query, ids) => {
    expect((await idsOf({ ...query, size: 3 })).ids).toEqual(ids);
  });

  test('filters by status, and returns nothing for deleted users', async () => {
    expect(await idsOf({ status: userStatus.disabled })).toEqual({ ids: [6], total: 1 });
    expect(await idsOf({ status: userStatus.deleted })).toEqual({ ids: [], total: 0 });
    expect((await idsOf({ status: userStatus.enabled })).total).toBe(12);
  });

  test.each([
    { p: -1 },
    { p: 1.5 },
    { p: 'x' },
    { p: 1e18 },
    { size: 0 },
    { size: 101 },
    { sort: 'password_hash' },
    { sort: '__proto__' },
    { direction: 'up' },
    { status: 'all' },
  ])('rejects the list query %j', async (query) => {
    const { status, body } = await admin.send(userApi.list, { query });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^Invalid parameter: /) });
  });

  test('returns the last allowed page', async () => {
    expect(await idsOf({ p: 1_000_000_000, size: 100 })).toEqual({ ids: [], total: 13 });
  });

  test('returns the same with and without the trailing slash', async () => {
    const responses = await Promise.all(['/api/user/', '/api/user'].map((path) => admin.request('GET', path)));
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    expect(responses[0]?.status).toBe(200);
  });
});

describe('[S7.22] user search', () => {
  test.each([
    ['a part of a username', 'arol', ['carolXc', 'carol_c']],
    ['a username in another case', 'ADA', ['ada']],
    ['a part of a display name', 'lovel', ['ada']],
    ['a part of an email address', '@example.ORG', ['dave\\d']],
    ['Umlauts in another case', 'äöü GRÖ', ['Bob']],
    ['Cyrillic in another case', 'привет', ['dave\\d']],
    ['Greek in another case', 'ίσυφ', ['eve']],
    ['Chinese', '三', ['carolXc']],
    ['a keyword with surrounding spaces', '  ada  ', ['ada']],
    ['the name of a deleted user, without a match', 'gone', []],
    ['an unknown name, without a match', 'nobody', []],
  ])('finds users by %s', async (_, keyword, names) => {
    expect(await found(keyword)).toEqual(names);
  });

  test('finds by id and by names that contain it', async () => {
    expect(await found('3')).toEqual(['ada', 'user10', 'user13']);
    expect(await found('14')).toEqual([]);
  });

  test.each([
    ['%', ['carol_c']],
    ['_', ['carol_c']],
    ['\\', ['dave\\d']],
    ['l_c', ['carol_c']],
    ["' or 1=1 --", []],
    ['%%', []],
  ])('matches %j literally', async (keyword, names) => {
    expect(await found(keyword)).toEqual(names);
  });

  test.each(['0', '-1', '1e3', '3.0', '99999999999999999999', 'NaN'])('does not treat %s as an id', async (keyword) => {
    expect(await found(keyword)).not.toContain('ada');
  });

  test('a search without a keyword equals the list, and pages, sorts and filters like it', async () => {
    const query = { keyword: '', p: 1, size: 4, order: 'quota' as const };
    expect(await admin.page(userApi.search, { query })).toEqual(await admin.page(userApi.list, { query }));
    const users = await admin.page(userApi.search, { query: { keyword: 'user', size: 2, sort: 'id', p: 1 } });
    expect(users).toMatchObject({ rows: [{ username: 'user9' }, { username: 'user10' }], total: 7 });
    expect(await found('carol', { status: userStatus.disabled })).toEqual(['carolXc']);
  });

  test('rejects a keyword of 301 characters', async () => {
    expect((await admin.send(userApi.search, { query: { keyword: 'x'.repeat(301) } })).status).toBe(400);
  });
});

test('counts users by status, without deleted ones', async () => {
  expect(await admin.call(userApi.counts)).toEqual({ 1: 12, 2: 1 });
});
