import { type Log, logApi, logCursorOf, logType } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleHour, sampleLog, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { parseLogFilter } from './log-filter.ts';
import { LogListRepository } from './log-list-repository.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);

const hour = 3600;
const random = sampleNumbers(7);
const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

/** The test user was called ann before another user took that name. */
const people = () =>
  pick(
    { user_id: 1001, username: 'ann' },
    { user_id: 1002, username: 'bob' },
    { user_id: reader.id, username: reader.username },
    { user_id: reader.id, username: 'ann' },
  );

/**
 * A hundred hours, most of them empty. Many rows share the same second, and many are at the start or end of an hour.
 */
const times = () =>
  sampleHour + pick(0, 0, 0, 1, 2, 5, 5, 5, 6, 9, 40, 41, 42, 99) * hour + pick(0, 0, 1, 600, 601, 1800, 3598, 3599);

const samples = Array.from({ length: 400 }, (_, index) =>
  sampleLog({
    ...people(),
    created_at: times(),
    type: pick(1, 2, 2, 2, 3, 4, 5),
    token_name: pick('', 'default', 'default', 'other'),
    model_name: pick('', 'gpt-4o', 'gpt-4o', 'o3'),
    channel: pick(0, 7, 7, 8),
    quota: Math.floor(random() * 1000),
    content: `row ${index}`,
  }),
);

type Query = Record<string, string | number>;

/** Reference implementation of the filters. */
const finds = (query: Query) => (row: Log) =>
  Object.entries(query).every(([name, value]) => {
    if (name === 'start_timestamp') return row.created_at >= Number(value);
    if (name === 'end_timestamp') return row.created_at <= Number(value);
    return row[name as keyof Log] === value;
  });

let stored: Log[] = [];
beforeAll(async () => {
  await writeLogs(app.database, samples);
  const rows = await app.database.selectFrom('logs').selectAll().execute();
  stored = rows
    .map((row) => ({
      ...row,
      is_stream: row.is_stream === 1,
      system_prompt_reset: row.system_prompt_reset === 1,
      channel_name: '',
    }))
    .sort((one, other) => other.created_at - one.created_at || other.id - one.id);
});

const spans: readonly Query[] = [
  {},
  { start_timestamp: sampleHour + 601 },
  { end_timestamp: sampleHour + 42 * hour - 1 },
  { end_timestamp: sampleHour + 41 * hour + 1800 },
  { start_timestamp: sampleHour + 601, end_timestamp: sampleHour + 99 * hour + 3598 },
  { start_timestamp: sampleHour + hour, end_timestamp: sampleHour + 6 * hour - 1 },
  { start_timestamp: sampleHour + 5 * hour + 1, end_timestamp: sampleHour + 5 * hour + 3598 },
  { start_timestamp: sampleHour + 5 * hour + 1800, end_timestamp: sampleHour + 6 * hour + 600 },
  { start_timestamp: sampleHour + 600, end_timestamp: sampleHour + 600 },
  { start_timestamp: sampleHour + 10 * hour, end_timestamp: sampleHour + 40 * hour - 1 },
  { start_timestamp: sampleHour + 9 * hour, end_timestamp: sampleHour },
  { start_timestamp: sampleHour + 200 * hour },
  { end_timestamp: sampleHour - 1 },
];

/** Combinations of these filters, including none. Each time span uses a different fifth of them. */
function combinations(choices: readonly Query[], span: Query): readonly Query[] {
  const all: Query[] = [{}];
  for (const choice of choices) all.push(...all.map((query) => ({ ...query, ...choice })));
  const count = Math.ceil(all.length / 5);
  return rotatedSample(all, spans.indexOf(span) * count, count);
}

const shared: readonly Query[] = [{ type: 2 }, { token_name: 'default' }, { model_name: 'gpt-4o' }];

async function readAll(client: ApiClient, row: typeof logApi.list | typeof logApi.listOwn, query: Query, size: number) {
  const ids: number[] = [];
  for (let p = 0; ; p += 1) {
    const { rows, total } = await client.page(row, { query: { ...query, p, size } });
    ids.push(...rows.map(({ id }) => id));
    // Every page except the last is full.
    if (rows.length < size) return { ids, total };
  }
}

const idsOf = (rows: readonly Log[]) => rows.map(({ id }) => id);
const quotaOf = (rows: readonly Log[]) => rows.reduce((sum, { quota }) => sum + quota, 0);
const consumption = { type: logType.consumption };
const aboutThird = (rows: readonly Log[]) => Math.min(100, Math.floor(rows.length / 3) + 1);

describe.each(spans)('logs within %j', (span) => {
  test('[S7.60] [S7.63] returns the rows page by page and their sum for every combination of filters', async () => {
    for (const filter of combinations([...shared, { username: 'ann' }, { channel: 7 }], span)) {
      const query = { ...filter, ...span };
      const expected = stored.filter(finds(query));
      expect(await readAll(admin, logApi.list, query, aboutThird(expected)), JSON.stringify(query)).toEqual({
        ids: idsOf(expected),
        total: expected.length,
      });
      const consumed = stored.filter(finds({ ...query, ...consumption }));
      expect(await admin.call(logApi.stat, { query })).toEqual({ quota: quotaOf(consumed) });
    }
  });

  test("[S7.61] [S7.64] filters and sums a user's own logs by user id, even after a rename", async () => {
    for (const filter of combinations(shared, span)) {
      const query = { ...filter, ...span };
      const mine = stored.filter(({ user_id }) => user_id === reader.id);
      const expected = mine.filter(finds(query));
      expect(await readAll(own, logApi.listOwn, query, aboutThird(expected)), JSON.stringify(query)).toEqual({
        ids: idsOf(expected),
        total: expected.length,
      });
      const consumed = mine.filter(finds({ ...query, ...consumption }));
      expect(await own.call(logApi.statOwn, { query })).toEqual({ quota: quotaOf(consumed) });
    }
  });
});

test("[S7.62] ignores username, channel and user id filters for a user's own logs", async () => {
  const mine = stored.filter(({ user_id }) => user_id === reader.id);
  const query = { username: 'bob', channel: 999, user_id: 1002, size: 100, p: 0 };
  const list = await own.send(logApi.listOwn, { query });
  expect(list.headers.get('x-total-count')).toBe(String(mine.length));
  const shown = mine.slice(0, 100).map((log) => ({ ...log, channel: 0 }));
  expect((list.body as { data: Log[] }).data).toEqual(shown);
  const stat = await own.send(logApi.statOwn, { query });
  expect(stat.body).toEqual({ success: true, message: '', data: { quota: quotaOf(mine.filter(finds(consumption))) } });
});

test("shows the operator's cost only to admins", async () => {
  const user = await app.createUser();
  await writeLogs(app.database, [{ user_id: user.id, username: user.username, quota: 9, cost: 7, content: 'bought' }]);
  const own = await app.signedIn(user.username, user.password);
  const rows = await own.call(logApi.listOwn, { query: {} });
  const found = await own.call(logApi.searchOwn, { query: { keyword: 'bought' } });
  expect([...rows, ...found]).toMatchObject([
    { quota: 9, cost: 0 },
    { quota: 9, cost: 0 },
  ]);
  expect(await admin.call(logApi.list, { query: { username: user.username } })).toMatchObject([{ quota: 9, cost: 7 }]);
});

test('returns every field of a row, with booleans as JSON booleans', async () => {
  await writeLogs(app.database, [
    {
      user_id: 5,
      username: 'zoë',
      created_at: sampleHour - hour,
      type: 2,
      content: 'words',
      token_name: 'tök',
      model_name: 'm',
      quota: 9_007_199_254_740,
      prompt_tokens: 1,
      completion_tokens: 2,
      channel: 3,
      request_id: 'r',
      elapsed_time: 1234,
      is_stream: 1,
      system_prompt_reset: 1,
      detail: '{"ratio":1}',
      ended_by: 'client',
      group: 'vip',
      first_byte_time: 99,
      status: 429,
      reason: 'rate_limited',
      cached_tokens: 4,
      cache_write_tokens: 5,
      reasoning_tokens: 6,
      cost: 7,
      node: 'near',
    },
  ]);
  const { body } = await admin.send(logApi.list, { query: { username: 'zoë', token_name: 'tök' } });
  expect(body).toEqual({
    success: true,
    message: '',
    data: [
      {
        id: expect.any(Number),
        user_id: 5,
        username: 'zoë',
        created_at: sampleHour - hour,
        type: 2,
        content: 'words',
        token_name: 'tök',
        model_name: 'm',
        quota: 9_007_199_254_740,
        prompt_tokens: 1,
        completion_tokens: 2,
        channel: 3,
        channel_name: '',
        request_id: 'r',
        elapsed_time: 1234,
        is_stream: true,
        system_prompt_reset: true,
        detail: '{"ratio":1}',
        ended_by: 'client',
        group: 'vip',
        first_byte_time: 99,
        status: 429,
        reason: 'rate_limited',
        cached_tokens: 4,
        cache_write_tokens: 5,
        reasoning_tokens: 6,
        cost: 7,
        node: 'near',
      },
    ],
  });
});

describe('unusual input', () => {
  test.each(['/api/log', '/api/log/', '/api/log/self', '/api/log/self/', '/api/log/stat/', '/api/log/self/stat/'])(
    '%s returns 200 without a redirect',
    async (path) => {
      expect((await admin.request('GET', path)).status).toBe(200);
    },
  );

  test('treats empty and 0 as no filter', async () => {
    const blank = { type: 0, username: '', token_name: '', model_name: '', channel: 0 };
    const { total } = await admin.page(logApi.list, { query: { ...blank, start_timestamp: 0, end_timestamp: '' } });
    expect(total).toBe((await admin.page(logApi.list, { query: {} })).total);
  });

  test('returns ten rows per page by default', async () => {
    expect((await admin.page(logApi.list, { query: {} })).rows).toHaveLength(10);
  });

  test.each([1_000_000_000, 41, 5])(
    '[A26.1] returns no rows but the total for page %i, which is beyond the end of the list',
    async (p) => {
      const { rows, total } = await admin.page(logApi.list, { query: { p, size: 100 } });
      expect(rows).toEqual([]);
      expect(total).toBeGreaterThanOrEqual(samples.length);
    },
  );

  test.each([
    ['a percent wildcard', { username: '%' }],
    ['an underscore wildcard', { token_name: 'defaul_' }],
    ['a name in another case', { model_name: 'GPT-4O' }],
    ['a quote', { username: "ann' or '1'='1" }],
    ['the largest channel id', { channel: Number.MAX_SAFE_INTEGER }],
    ['a name that every object has as a property', { username: '__proto__' }],
    ['non-ASCII letters', { username: 'ａｎｎ', token_name: '🦆' }],
    ['a time in the far future', { start_timestamp: Number.MAX_SAFE_INTEGER }],
  ])('[A26.1] finds nothing for %s', async (_, query) => {
    expect(await admin.page(logApi.list, { query })).toEqual({ rows: [], total: 0 });
    expect(await admin.call(logApi.stat, { query })).toEqual({ quota: 0 });
  });

  test('finds nothing for an unused type, while the total ignores the type', async () => {
    expect(await admin.page(logApi.list, { query: { type: 99 } })).toEqual({ rows: [], total: 0 });
    expect(await admin.call(logApi.stat, { query: { type: 99 } })).toEqual(
      await admin.call(logApi.stat, { query: {} }),
    );
  });

  test('[A26.2] returns all logs if the end time is the maximum integer', async () => {
    const { total } = await admin.page(logApi.list, { query: { end_timestamp: Number.MAX_SAFE_INTEGER } });
    expect(total).toBe((await admin.page(logApi.list, { query: {} })).total);
  });

  test.each([
    ['p', -1],
    ['p', 0.5],
    ['p', 'x'],
    ['p', 1_000_000_001],
    ['size', 0],
    ['size', 101],
    ['type', -1],
    ['type', 101],
    ['type', 2.5],
    ['type', 'consumption'],
    ['channel', -1],
    ['channel', 'x'],
    ['channel', 2 ** 53],
    ['start_timestamp', -1],
    ['start_timestamp', 'yesterday'],
    ['end_timestamp', 1.5],
    ['end_timestamp', 'Infinity'],
    ['username', 'x'.repeat(301)],
    ['token_name', 'a\0b'],
    ['before', '5'],
    ['before', '1-2-3'],
    ['before', '-1-5'],
  ])('rejects %s=%s and names the parameter', async (name, value) => {
    const { status, body } = await admin.send(logApi.list, { query: { [name]: value } });
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/^Invalid parameter: /) });
  });

  test('rejects a filter that is given twice', async () => {
    expect((await admin.request('GET', '/api/log/?username=ann&username=bob')).status).toBe(400);
  });
});

test('finds the logs of all users with a name, whether many or few share it', async () => {
  const owners = Array.from({ length: 60 }, (_, index) => ({ user_id: 2000 + index, username: `owner${index}` }));
  const [first, second] = owners;
  await writeLogs(app.database, [
    ...owners.map((owner, index) => ({ ...owner, token_name: 'everybody', created_at: sampleHour + index * 1000 })),
    ...[first, second, first].map((owner) => ({ ...owner, token_name: 'shared' })),
    { ...second, username: 'owner0', token_name: 'shared' },
  ]);
  const find = async (query: Query) => (await admin.page(logApi.list, { query: { ...query, size: 100 } })).rows;
  expect((await find({ token_name: 'everybody' })).map(({ user_id }) => user_id)).toEqual(
    owners.map(({ user_id }) => user_id).reverse(),
  );
  expect(await find({ token_name: 'everybody', username: 'owner7' })).toHaveLength(1);
  expect(await find({ token_name: 'shared' })).toHaveLength(4);
  expect(await find({ token_name: 'shared', username: 'owner0' })).toHaveLength(3);
  expect(await find({ token_name: 'shared', username: 'owner2' })).toEqual([]);
});

test('returns consistent pages while rows are written', async () => {
  const query = { username: 'writer', size: 7 };
  const write = (index: number) =>
    writeLogs(app.database, [{ username: 'writer', user_id: 77, created_at: sampleHour + index * 700, quota: 1 }]);
  const read = async (p: number) => {
    const { rows, total } = await admin.page(logApi.list, { query: { ...query, p } });
    const wanted = Math.max(0, Math.min(7, total - p * 7));
    expect(rows).toHaveLength(wanted);
    expect(rows.map(({ created_at }) => -created_at)).toEqual(
      rows.map(({ created_at }) => -created_at).sort((a, b) => a - b),
    );
    return total;
  };
  const work = Array.from({ length: 60 }, (_, index) => [write(index), read(index % 9)]).flat();
  await Promise.all(work);
  expect(await read(0)).toBe(60);
  expect(await admin.call(logApi.stat, { query: { username: 'writer' } })).toEqual({ quota: 60 });
});

test('lists logs beyond the count limit with a cursor', async () => {
  const user = { user_id: 78, username: 'many' };
  const times = [0, 0, 1, 1, 1, 2, 2].map((second) => sampleHour + second);
  await writeLogs(
    app.database,
    times.map((created_at) => ({ ...user, created_at })),
  );
  const expected = await admin.call(logApi.list, { query: { username: 'many', size: 100 } });
  const lists = new LogListRepository(app.database, 4);
  const filter = parseLogFilter({
    type: 0,
    ...user,
    token_name: '',
    model_name: '',
    start_timestamp: 0,
    end_timestamp: 0,
  });
  const first = await lists.page(filter, { p: 0, size: 3 });
  expect(first).toMatchObject({ total: 4, isMore: true });
  const second = await lists.page(filter, { p: 1, size: 3 });
  expect(second.rows).toHaveLength(1);
  expect(await lists.page(filter, { p: 2, size: 3 })).toMatchObject({ rows: [], total: 4, isMore: true });
  const rest = await lists.page(filter, { p: 0, size: 3 }, second.rows.at(-1));
  expect(rest).toMatchObject({ total: 3, isMore: false });
  expect([...first.rows, ...second.rows, ...rest.rows].map(({ id }) => id)).toEqual(idsOf(expected));
});

test('lists the log following the cursor in `after`', async () => {
  const query = { username: 'many', size: 100 };
  const all = await admin.call(logApi.list, { query });
  const after = logCursorOf(all[2] as Log);
  expect(idsOf(await admin.call(logApi.list, { query: { ...query, after } }))).toEqual(idsOf(all.slice(0, 2)));
});

test('lists only the logs after the cursor in `before`', async () => {
  const query = { username: 'many', size: 100 };
  const all = await admin.call(logApi.list, { query });
  const before = logCursorOf(all[2] as Log);
  const { rows, total } = await admin.page(logApi.list, { query: { ...query, before } });
  expect({ ids: idsOf(rows), total }).toEqual({ ids: idsOf(all.slice(3)), total: all.length - 3 });
});
