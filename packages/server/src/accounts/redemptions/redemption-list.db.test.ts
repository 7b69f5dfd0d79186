import { redemptionApi, totalHeader } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const given = [
  { name: 'b', quota: 10, status: 1, created_time: 50, redeemed_time: 0 },
  { name: 'A', quota: 500, status: 3, created_time: 40, redeemed_time: 70 },
  { name: 'É 50%_off', quota: 10, status: 2, created_time: 30, redeemed_time: 0 },
  { name: 'c\\d', quota: 9_000_000_000, status: 1, created_time: 20, redeemed_time: 0 },
  { name: '新年', quota: 1, status: 3, created_time: 10, redeemed_time: 60 },
];
const ids: number[] = [];
for (const { name, quota, ...rest } of given) {
  await admin.call(redemptionApi.create, { body: { name, quota } });
  const [code] = await admin.call(redemptionApi.list, { query: { size: 1 } });
  ids.push(code?.id ?? 0);
  await app.database
    .updateTable('redemptions')
    .set(rest)
    .where('id', '=', code?.id ?? 0)
    .execute();
}

type Query = Readonly<Record<string, unknown>>;

const listed = async (
  query: Query,
  endpoint: typeof redemptionApi.list | typeof redemptionApi.search = redemptionApi.list,
) => {
  const { body, headers } = await admin.send(endpoint, { query });
  const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
  return { names, total: Number(headers.get(totalHeader)) };
};

describe('[S7.53] redemption list', () => {
  test.each<[Query, string[]]>([
    [{}, ['新年', 'c\\d', 'É 50%_off', 'A', 'b']],
    [{ direction: 'asc' }, ['新年', 'c\\d', 'É 50%_off', 'A', 'b']],
    [{ sort: 'id' }, ['b', 'A', 'É 50%_off', 'c\\d', '新年']],
    [{ sort: 'name' }, ['A', 'b', 'c\\d', 'É 50%_off', '新年']],
    [{ sort: 'name', direction: 'desc' }, ['新年', 'É 50%_off', 'c\\d', 'b', 'A']],
    [{ sort: 'status' }, ['b', 'c\\d', 'É 50%_off', 'A', '新年']],
    [{ sort: 'quota' }, ['新年', 'b', 'É 50%_off', 'A', 'c\\d']],
    [{ sort: 'quota', direction: 'desc' }, ['c\\d', 'A', 'É 50%_off', 'b', '新年']],
    [{ sort: 'created_time' }, ['新年', 'c\\d', 'É 50%_off', 'A', 'b']],
    [{ sort: 'redeemed_time', direction: 'desc' }, ['A', '新年', 'c\\d', 'É 50%_off', 'b']],
  ])('sorts by %j', async (query, names) => {
    expect(await listed(query)).toEqual({ names, total: 5 });
    const pages = await Promise.all([0, 1, 2, 3].map((p) => listed({ ...query, size: 2, p })));
    expect(pages.flatMap((page) => page.names)).toEqual(names);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  test.each<[unknown, string[]]>([
    [1, ['c\\d', 'b']],
    [2, ['É 50%_off']],
    [3, ['新年', 'A']],
    [4, []],
    ['', ['新年', 'c\\d', 'É 50%_off', 'A', 'b']],
  ])('filters by status %j', async (status, names) => {
    expect(await listed({ status })).toEqual({ names, total: names.length });
  });

  test('counts by status', async () => {
    expect(await admin.call(redemptionApi.counts)).toEqual({ 1: 2, 2: 1, 3: 2 });
  });

  test.each([
    { p: -1 },
    { p: 'x' },
    { size: 0 },
    { size: 101 },
    { sort: 'key_hash' },
    { direction: 'x' },
    { status: 'x' },
  ])('rejects the list query %j', async (query) => {
    expect((await admin.send(redemptionApi.list, { query })).status).toBe(400);
  });

  test('the redemption list is empty without codes', async () => {
    await using empty = await startTestApp();
    const client = await empty.as('admin');
    expect(await client.page(redemptionApi.list, { query: {} })).toEqual({ rows: [], total: 0 });
    expect(await client.call(redemptionApi.counts)).toEqual({});
  });
});

describe('[S2.148] [S7.54] redemption search', () => {
  test.each<[string, string[]]>([
    ['a', ['A']],
    ['B', ['b']],
    ['é', ['É 50%_off']],
    ['%', ['É 50%_off']],
    ['_', ['É 50%_off']],
    ['\\', ['c\\d']],
    ['年', ['新年']],
    ['nothing like it', []],
    ["' or 1=1 --", []],
    ['-1', []],
    ['9'.repeat(40), []],
    ['1e0', []],
    ['', ['新年', 'c\\d', 'É 50%_off', 'A', 'b']],
  ])('a search for %j finds the matching codes', async (keyword, names) => {
    expect(await listed({ keyword }, redemptionApi.search)).toEqual({ names, total: names.length });
  });

  test('finds an id and names that contain the number', async () => {
    const id = ids[1] ?? 0;
    await admin.call(redemptionApi.create, { body: { name: `number ${id}.`, quota: 1 } });
    expect((await listed({ keyword: String(id) }, redemptionApi.search)).names).toEqual([`number ${id}.`, 'A']);
    expect((await listed({ keyword: ` ${id} `, status: 3 }, redemptionApi.search)).names).toEqual(['A']);
    expect((await listed({ keyword: String(id), size: 1, p: 1 }, redemptionApi.search)).names).toEqual(['A']);
  });

  test('does not search the codes themselves', async () => {
    const [code] = await admin.call(redemptionApi.list, { query: { size: 1 } });
    expect(await listed({ keyword: code?.key }, redemptionApi.search)).toEqual({ names: [], total: 0 });
  });
});
