import { channelApi, type Log, logApi, logCursorOf, maxHistogramBars } from '@headgate/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { histogramRange } from './histogram-range.ts';
import { LogFacetRepository } from './log-facet-repository.ts';
import { parseLogFilter } from './log-filter.ts';
import { LogHistogramRepository } from './log-histogram-repository.ts';
import { narrowLogFilter } from './log-request-repository.ts';
import { rollUpAll } from './rollup-repository.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);
const hour = 3600;
const name = 'openai-eu-explorer';
await admin.call(channelApi.create, { body: { name, type: 1, key: 'sk-x', models: 'm', group: 'default' } });
const [{ id: channel = 0 } = {}] = await admin.call(channelApi.search, { query: { keyword: name } });
const place = { channel, cost: 40, node: 'node-a' };
const detail = JSON.stringify({ attempts: [{ channel, key: 3, status: 429, reason: 'slow down', start: 0, ms: 5 }] });
const ada = { user_id: reader.id, username: reader.username, token_name: 'ci', model_name: 'm-large', ...place };
const bob = { user_id: 4242, username: 'bob-explorer', token_name: 'web', model_name: 'm-small', ...place };
const failed = { type: 5, status: 429, reason: 'rate_limited' as const, content: 'Too many requests: slow down' };

const samples = [
  { ...ada, created_at: sampleHour + 10, request_id: 'req-ada-1', detail },
  { ...ada, created_at: sampleHour + 20, ...failed, request_id: 'req-ada-2', detail },
  { ...bob, created_at: sampleHour + 30, ...failed, status: 503, reason: 'overloaded' as const, content: 'busy' },
  { ...bob, created_at: sampleHour + 5 * hour, request_id: 'req-bob' },
  { ...ada, created_at: sampleHour + 9 * hour + 59 },
  { ...ada, created_at: sampleHour + 40, type: 1, model_name: '', token_name: '', channel: 0, content: 'gift' },
  { ...bob, created_at: sampleHour + 41, type: 4, model_name: '', token_name: '', channel: 0 },
  // A bulk change: one event, and an entry for the history of each channel.
  { ...bob, created_at: sampleHour + 42, type: 3, channel: 0, request_id: '', content: 'changed 2 channels' },
  { ...bob, created_at: sampleHour + 42, type: 3, request_id: 'run-1', content: 'changed channel 7 in bulk' },
];

/** No other logs are in this range. */
const range = { start_timestamp: sampleHour, end_timestamp: sampleHour + 10 * hour };
const filterOf = (query: object) => parseLogFilter({ type: 0, token_name: '', model_name: '', ...range, ...query });

beforeAll(async () => {
  await writeLogs(app.database, samples);
});

const contents = (rows: readonly Log[]) => rows.map(({ content, request_id }) => request_id || content);

test.each([
  [{ view: 'requests' }, ['', 'req-bob', 'busy', 'req-ada-2', 'req-ada-1']],
  [{ view: 'audit' }, ['changed 2 channels']],
  [{ view: 'audit', channel }, ['run-1']],
  [{ view: 'system' }, ['', 'gift']],
  [{ view: 'requests', status: 200 }, ['', 'req-bob', 'req-ada-1']],
  [{ status: 429 }, ['req-ada-2']],
  [{ view: 'requests', text: 'SLOW' }, ['req-ada-2']],
  [{ view: 'requests', text: '%' }, []],
  [{ view: 'requests', channel_name: 'OPENAI', model_name: 'm-large' }, ['', 'req-ada-2', 'req-ada-1']],
  [{ channel_name: 'unknown' }, []],
] as const)('filters %j', async (query, expected) => {
  const { rows, total } = await admin.page(logApi.list, { query: { ...range, ...query } });
  expect(contents(rows)).toEqual(expected);
  expect(total).toBe(expected.length);
});

test('[A26.4] searches text in a limited number of logs, regardless of the other filters', async () => {
  const filter = filterOf({ model_name: 'no such model', contains: 'model_name', text: 'slow' });
  expect(await narrowLogFilter(app.database, filter, 2)).toMatchObject({ within: { from: sampleHour + 42 } });
});

test('shows channel names only to admins, and hides keys, costs and channels of attempts from users', async () => {
  const [seen] = await admin.call(logApi.list, { query: { ...range, request_id: 'req-ada-1' } });
  expect(seen).toMatchObject({ channel, channel_name: name, cost: 40, node: 'node-a' });
  const hidden = { channel: 0, channel_name: '', cost: 0, node: '' };
  const entry = await own.call(logApi.entryOwn, { query: { key: 'req-ada-1' } });
  expect(entry).toMatchObject({ request_id: 'req-ada-1', ...hidden });
  expect(JSON.parse(entry.detail)).toEqual({ attempts: [{ status: 429, reason: 'slow down', start: 0, ms: 5 }] });
  for (const log of await own.call(logApi.listOwn, { query: range })) expect(log).toMatchObject(hidden);
  // Admin-only filters are ignored for users.
  const query = { ...range, channel_name: 'nothing', channel: 1 } as object;
  expect(await own.call(logApi.listOwn, { query })).toHaveLength(4);
});

test('finds a log by request id and by cursor, and users find only their own', async () => {
  const found = await admin.call(logApi.entry, { query: { key: 'req-bob' } });
  expect(found).toMatchObject({ username: 'bob-explorer', channel_name: name });
  const key = logCursorOf(found);
  expect((await admin.call(logApi.entry, { query: { key } })).id).toBe(found.id);
  for (const other of ['req-bob', key, 'no-such-request', '1-1', "'; drop table logs"])
    await expect(own.call(logApi.entryOwn, { query: { key: other } }), other).rejects.toThrow();
  await expect(admin.call(logApi.entry, { query: { key: 'x'.repeat(301) } })).rejects.toThrow();
});

describe('histogram', () => {
  const histograms = new LogHistogramRepository(app.database);
  const sums = ({ bars }: { bars: readonly { rows: number; failures: number }[] }) => [
    bars.reduce((sum, { rows }) => sum + rows, 0),
    bars.reduce((sum, { failures }) => sum + failures, 0),
  ];

  test('counts requests and failures, before and after they are rolled up', async () => {
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) await rollUpAll(app.database);
      const all = await admin.call(logApi.histogram, { query: { ...range, view: 'requests' } });
      expect(all).toMatchObject({ from: sampleHour, step: hour, counted_from: 0 });
      expect(all.bars).toEqual([
        { time: sampleHour, rows: 3, failures: 2 },
        { time: sampleHour + 5 * hour, rows: 1, failures: 0 },
        { time: sampleHour + 9 * hour, rows: 1, failures: 0 },
      ]);
      const mine = await own.call(logApi.histogramOwn, { query: { ...range, view: 'requests' } });
      expect(sums(mine)).toEqual([3, 1]);
      for (const query of [{ reason: 'rate_limited' }, { status: 429 }, { username: reader.username, status: 429 }])
        expect(sums(await admin.call(logApi.histogram, { query: { ...range, ...query } as object }))).toEqual([1, 1]);
      const busy = { ...range, text: 'busy', view: 'requests' } as const;
      expect(sums(await admin.call(logApi.histogram, { query: busy }))).toEqual([1, 1]);
    }
  });

  test('counts audit events over long ranges', async () => {
    const { bars, step } = await admin.call(logApi.histogram, { query: { ...range, view: 'audit' } });
    expect([step, bars.map(({ rows }) => rows)]).toEqual([hour, [1]]);
  });

  test('counts short ranges by second', async () => {
    const query = { start_timestamp: sampleHour + 5, end_timestamp: sampleHour + 34, view: 'requests' } as const;
    expect((await admin.call(logApi.histogram, { query })).bars.map(({ time }) => time)).toEqual(
      [10, 20, 30].map((second) => sampleHour + second),
    );
  });

  test('reads a limited number of logs, and reports the start of the counted range', async () => {
    const within = { from: sampleHour, to: sampleHour + 60 };
    const few = new LogHistogramRepository(app.database, 2);
    const { counted_from, bars } = await few.read(filterOf({ text: 'o' }), histogramRange(within));
    expect(counted_from).toBe(sampleHour + 41);
    expect(bars.every(({ time }) => time >= counted_from)).toBe(true);
    expect((await histograms.read(filterOf({ text: 'o' }), histogramRange(within))).counted_from).toBe(0);
  });

  test('has at most 60 bars for any range', () => {
    const spans = [0, 1, 59, 60, 61, 3600, 6 * hour, 6 * hour + 1, 86_400, 30 * 86_400, 366 * 86_400, 2_000_000_000];
    for (const seconds of spans) {
      const { from, to, step } = histogramRange({ from: 1234, to: 1234 + seconds });
      expect(Math.ceil((to - from + 1) / step), String(seconds)).toBeLessThanOrEqual(maxHistogramBars);
      expect(from).toBeLessThanOrEqual(1234);
      expect(to).toBeGreaterThanOrEqual(1234 + seconds);
    }
  });
});

describe('facets', () => {
  test("count the values of the matching logs within the caller's scope", async () => {
    const query = { ...range, view: 'requests' } as const;
    const all = await admin.call(logApi.facets, { query });
    expect(all).toMatchObject({ counted: 5, is_more: false });
    const of = (field: string, { values } = all) =>
      values.filter((each) => each.field === field).map(({ value, name, rows }) => [value, name, rows]);
    expect(of('status')).toEqual([
      ['200', '', 3],
      ['429', '', 1],
      ['503', '', 1],
    ]);
    expect(of('channel')).toEqual([[String(channel), name, 5]]);
    expect(of('username')).toEqual(expect.arrayContaining([[reader.username, '', 3]]));
    const mine = await own.call(logApi.facetsOwn, { query });
    expect(mine.counted).toBe(3);
    expect([...new Set(mine.values.map(({ field }) => field))].sort()).toEqual([
      'model_name',
      'reason',
      'status',
      'token_name',
    ]);
  });

  test('count a limited number of logs', async () => {
    const facets = new LogFacetRepository(app.database, { counted: 2, read: 4 });
    expect(await facets.read(filterOf({ view: 'requests' }))).toMatchObject({ counted: 2, is_more: true });
  });
});
