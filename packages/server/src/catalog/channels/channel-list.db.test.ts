import { channelApi, channelStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

type ListQuery = NonNullable<Parameters<typeof admin.page<typeof channelApi.list>>[1]>['query'];
const list = (query: ListQuery = {}) => admin.page(channelApi.list, { query });
const search = async (keyword: string, query: ListQuery = {}) =>
  (await admin.page(channelApi.search, { query: { ...query, keyword } })).rows.map(({ name }) => name);

const names = ['Alpha', 'beta', 'Gamma 100%', 'delta_x', 'Épsilon', '渠道'] as const;
const ids: Record<string, number> = {};
for (const [index, name] of names.entries()) {
  const { id } = await createChannel(app, admin, {
    name,
    key: `sk-${index}-${'x'.repeat(20)}`,
    type: index % 2 === 0 ? 1 : 14,
    group: index < 3 ? 'default,vip' : 'vip-plus,VIP',
    priority: 10 - index,
    weight: index % 2,
  });
  ids[name] = id;
}
const fill = async (target: TestApp, count: number) => {
  const client = await target.as('admin');
  const key = Array.from({ length: count }, (_, index) => `sk-${index}`).join('\n');
  await client.call(channelApi.create, { body: { name: 'many', key, models: 'm' } });
  return client;
};

describe('[S7.35] channel list', () => {
  test('returns the newest first with all fields except the key, and the total count', async () => {
    const { rows, total } = await list();
    expect(total).toBe(names.length);
    expect(rows.map(({ name }) => name)).toEqual(names.toReversed());
    expect(rows.every(({ key }) => key === '')).toBe(true);
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(
      [
        ...['id', 'type', 'key', 'status', 'status_reason', 'name', 'weight', 'created_time', 'test_time'],
        ...['response_time', 'base_url', 'other', 'balance', 'balance_updated_time', 'models', 'group'],
        ...['used_quota', 'model_mapping', 'priority', 'config', 'system_prompt', 'is_failing', 'cooldown_seconds'],
        'paused_models',
        ...['test_reason', 'test_message', 'test_status', 'tested_model', 'failure_time', 'failure_reason'],
        ...['failure_message', 'failure_status', 'failure_model', 'failure_count', 'tag', 'purchase', 'rules'],
        ...['key_strategy', 'key_count', 'enabled_key_count'],
      ].toSorted(),
    );
  });

  test('returns pages of ten without an empty last page', async () => {
    await using other = await startTestApp();
    const client = await fill(other, 20);
    const pages = await Promise.all([0, 1, 2].map((p) => client.page(channelApi.list, { query: { p } })));
    expect(pages.map(({ rows }) => rows.length)).toEqual([10, 10, 0]);
    expect(pages.map(({ total }) => total)).toEqual([20, 20, 20]);
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(20);
    expect((await client.page(channelApi.list, { query: { size: 15, p: 1 } })).rows).toHaveLength(5);
    expect((await client.page(channelApi.list, { query: { p: 999_999_999 } })).rows).toEqual([]);
  });

  test.each([
    ['name', 'asc', ['Alpha', 'Gamma 100%']],
    ['priority', 'asc', ['渠道', 'Épsilon']],
    ['priority', 'desc', ['Alpha', 'beta']],
    ['id', 'asc', ['Alpha', 'beta']],
    ['type', 'desc', ['渠道', 'delta_x']],
    ['weight', 'asc', ['Alpha', 'Gamma 100%']],
    ['status', 'asc', ['Alpha', 'beta']],
    ['group', 'asc', ['Alpha', 'beta']],
    ['response_time', 'asc', ['Alpha', 'beta']],
    ['balance', 'asc', ['Alpha', 'beta']],
    ['used_quota', 'asc', ['Alpha', 'beta']],
  ] as const)('sorting by %s %s returns %j first', async (sort, direction, first) => {
    const { rows } = await list({ sort, direction });
    expect(rows.slice(0, 2).map(({ name }) => name)).toEqual(first);
    expect(rows).toHaveLength(names.length);
  });

  test('filters by status, type and group', async () => {
    const namesOf = async (query: ListQuery) => (await list(query)).rows.map(({ name }) => name);
    expect(await namesOf({ type: 14 })).toEqual(['渠道', 'delta_x', 'beta']);
    expect(await namesOf({ type: 999 })).toEqual([]);
    expect(await namesOf({ group: 'vip' })).toEqual(['Gamma 100%', 'beta', 'Alpha']);
    expect(await namesOf({ group: 'VIP', type: 1 })).toEqual(['Épsilon']);
    expect(await namesOf({ group: 'vi' })).toEqual([]);
    expect(await namesOf({ group: 'vip%' })).toEqual([]);
    expect(await namesOf({ group: "'; drop table channels; --" })).toEqual([]);
    expect(await namesOf({ status: 2 })).toEqual([]);
    expect((await namesOf({ status: 1 })).length).toBe(names.length);
    const blank = await admin.request('GET', '/api/channel/?status=&type=&group=');
    expect(blank.headers.get('x-total-count')).toBe(String(names.length));
  });

  test.each([
    'p=-1',
    'p=x',
    'p=1.5',
    'p=1e30',
    'size=0',
    'size=101',
    'sort=key_sealed',
    'sort=key',
    'sort=name;drop',
    'direction=up',
    'type=x',
    'type=1.5',
    'type=99999999999',
    'status=-1',
    'status=x',
    `group=${'x'.repeat(201)}`,
  ])('rejects the list query %s', async (query) => {
    const { status, body } = await admin.request('GET', `/api/channel/?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/^Invalid parameter: /) });
  });

  test('accepts the path with and without the trailing slash', async () => {
    const [one, other] = await Promise.all([
      admin.request('GET', '/api/channel'),
      admin.request('GET', '/api/channel/?p=0'),
    ]);
    expect(one.status).toBe(200);
    expect(one.body).toEqual(other.body);
  });
});

describe('[S7.36] channel search', () => {
  test('finds part of a name, case-insensitively', async () => {
    expect(await search('ALPH')).toEqual(['Alpha']);
    expect(await search('ta')).toEqual(['delta_x', 'beta']);
    expect(await search('épsilon')).toEqual(['Épsilon']);
    expect(await search('ÉPS')).toEqual(['Épsilon']);
    expect(await search('道')).toEqual(['渠道']);
    expect(await search('nothing like it')).toEqual([]);
  });

  test('matches wildcard characters literally', async () => {
    expect(await search('%')).toEqual(['Gamma 100%']);
    expect(await search('_')).toEqual(['delta_x']);
    expect(await search('\\')).toEqual([]);
    expect(await search("' or 1=1 --")).toEqual([]);
  });

  test('finds an id', async () => {
    await using other = await startTestApp();
    const client = await fill(other, 12);
    const found = await client.call(channelApi.search, { query: { keyword: '7' } });
    expect(found.map(({ id, name }) => [id, name])).toEqual([[7, 'many 7']]);
    const both = await client.call(channelApi.search, { query: { keyword: '1' } });
    expect(both.map(({ id }) => id)).toEqual([12, 11, 10, 1]);
    expect(await client.call(channelApi.search, { query: { keyword: '99999999999999999999' } })).toEqual([]);
  });

  test('finds a complete key but not part of one', async () => {
    const key = `sk-1-${'x'.repeat(20)}`;
    expect(await search(key)).toEqual(['beta']);
    expect(await search(` ${key} `)).toEqual(['beta']);
    for (const part of [key.slice(0, -1), key.slice(1), 'sk-1', key.toUpperCase(), `${key}x`, 'sk-%']) {
      expect(await search(part)).toEqual([]);
    }
  });

  test('finds the longest keys that providers issue', async () => {
    const key = `eyJ${'a'.repeat(2000)}`;
    await using other = await startTestApp();
    const client = await other.as('admin');
    await createChannel(other, client, { name: 'long', key });
    expect((await client.call(channelApi.search, { query: { keyword: key } })).map(({ name }) => name)).toEqual([
      'long',
    ]);
  });

  test('a search without a keyword equals the list, including pages, order and filters', async () => {
    expect(await search('')).toEqual(names.toReversed());
    expect(await search('a', { sort: 'priority', direction: 'desc', size: 2 })).toEqual(['Alpha', 'beta']);
    expect(await search('a', { type: 14 })).toEqual(['delta_x', 'beta']);
    const { total } = await admin.page(channelApi.search, { query: { keyword: 'a', size: 1 } });
    expect(total).toBe(4);
  });

  test('rejects a keyword that is too long', async () => {
    const { status } = await admin.send(channelApi.search, { query: { keyword: 'x'.repeat(8001) } });
    expect(status).toBe(400);
  });
});

test('counts channels by status', async () => {
  await using other = await startTestApp();
  const client = await other.as('admin');
  expect(await client.call(channelApi.counts)).toEqual({});
  for (const status of [1, 1, 1, 2, 3, 3]) {
    const { id } = await createChannel(other, client);
    await other.database.updateTable('channels').set({ status }).where('id', '=', id).execute();
  }
  expect(await client.call(channelApi.counts)).toEqual({ [channelStatus.enabled]: 3, 2: 1, 3: 2 });
});

describe('[S7.37] single channel', () => {
  test('finds a channel by its id, with and without a trailing slash', async () => {
    const id = ids['beta'] ?? 0;
    const one = await admin.call(channelApi.get, { params: { id } });
    expect(one).toMatchObject({ id, name: 'beta', key: '' });
    expect((await admin.request('GET', `/api/channel/${id}/`)).body).toMatchObject({ data: one });
  });

  test.each(['0', '-1', '1.5', 'x', '9007199254740993', '1;2', '%00', 'null', '１'])(
    'rejects the channel id %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', `/api/channel/${id}`],
        ['DELETE', `/api/channel/${id}/`],
        ['GET', `/api/channel/test/${id}`],
        ['GET', `/api/channel/update_balance/${id}/`],
      ] as const) {
        const { status, body } = await admin.request(method, path);
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(body).toMatchObject({ success: false });
      }
    },
  );

  test('returns "not found" for a channel that does not exist', async () => {
    for (const id of [999_999, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await admin.send(channelApi.get, { params: { id } });
      expect(status).toBe(200);
      expect(body).toEqual({ success: false, message: 'Not found' });
    }
  });
});
