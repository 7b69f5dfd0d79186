import { logType, type Usage, type UsageAxis, type UsageHeading, type UsageTotals, usageApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { NewLog } from '../logs/log-repository.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const ann = await app.createUser();
const bob = await app.createUser();

const hour = 3600;
const day = 86_400;
const random = sampleNumbers(11);
const upTo = (max: number) => Math.floor(random() * max);
const one = <Item>(...items: readonly Item[]) => items[upTo(items.length)] as Item;

/** Varied requests over ten days, and some rows that are not requests. */
const logs: readonly Partial<NewLog>[] = Array.from({ length: 2500 }, () => {
  const { id, username } = one(ann, bob);
  const type = one(2, 2, 2, 5, 3);
  const spent = type === logType.consumption;
  return {
    created_at: sampleHour + upTo(10 * day),
    user_id: id,
    username,
    type,
    token_name: one('main', 'side'),
    model_name: one('a', 'b', 'c', 'd', ''),
    channel: type === logType.failure ? 0 : one(1, 2, 3),
    group: one('default', 'vip'),
    quota: spent ? 1 + upTo(99) : 0,
    prompt_tokens: spent ? upTo(50) : 0,
    completion_tokens: spent ? upTo(50) : 0,
    cached_tokens: spent ? upTo(9) : 0,
    cost: spent ? 1 + upTo(50) : 0,
  };
});
await writeLogs(app.database, logs);

const within = { start_timestamp: sampleHour, end_timestamp: sampleHour + 10 * day - 1 };
const requests = logs.filter(({ type }) => type !== logType.management) as readonly NewLog[];

const sumsOf = (rows: readonly NewLog[]): UsageTotals => {
  const sum = (column: 'quota' | 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'cost') =>
    rows.reduce((total, row) => total + row[column], 0);
  return {
    requests: rows.length,
    failures: rows.filter(({ type }) => type === logType.failure).length,
    quota: sum('quota'),
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    cached_tokens: sum('cached_tokens'),
    cost: sum('cost'),
    uncosted_quota: 0,
  };
};

const localDay = (row: NewLog, offset: number) => new Date((row.created_at + offset) * 1000).toISOString().slice(0, 10);

const keyOf: Record<string, (row: NewLog) => string> = {
  model: ({ model_name }) => model_name,
  user: ({ user_id }) => String(user_id),
  token: ({ user_id, token_name }) => `${user_id === ann.id ? ann.username : bob.username} ${token_name}`,
  channel: ({ channel }) => String(channel),
  group: ({ group }) => group,
  day: (row) => localDay(row, 8 * hour),
  month: (row) => localDay(row, 8 * hour).slice(0, 7),
};

describe('usage', () => {
  test.each([
    ['model', ''],
    ['user', ''],
    ['channel', 'model'],
    ['group', 'model'],
    ['user', 'model'],
    ['model', 'user'],
    ['token', 'channel'],
    ['user', 'day'],
    ['day', 'channel'],
    ['month', 'group'],
    ['day', ''],
  ] as const)(
    'equals the log totals by %s and %s, with the remainder in an "others" row or column',
    async (rows, columns) => {
      const query = { ...within, rows, columns, top: 3, zone: 'Asia/Shanghai' };
      const usage = await admin.call(usageApi.read, { query });
      expect(usage.total).toEqual(sumsOf(requests));
      const heads = columns === '' ? [usage.rows] : [usage.rows, usage.columns];
      for (const headings of heads) {
        expect(headings.reduce((sum, { total }) => sum + total.requests, 0)).toBe(requests.length);
      }
      for (const [at, row] of usage.rows.entries()) {
        expect(usage.cells[at]).toHaveLength(columns === '' ? 1 : usage.columns.length);
        if (!row.is_others) expect([row.total, usage.cells[at]]).toEqual(rowOf(usage, row, rows, columns));
      }
    },
  );
});

/** Total and cells of a row, computed from the logs. */
function rowOf(usage: Usage, row: UsageHeading, rows: UsageAxis, columns: UsageAxis | ''): unknown {
  const name = row.username ? `${row.username} ${row.key}` : row.key;
  const ofRow = requests.filter((each) => keyOf[rows]?.(each) === name);
  const named = usage.columns.filter(({ is_others }) => !is_others).map(({ key }) => key);
  const ofColumn = (column: UsageHeading) =>
    ofRow.filter((each) => {
      const key = keyOf[columns]?.(each) ?? '';
      return column.is_others ? !named.includes(key) : key === column.key;
    });
  const cells = columns === '' ? [ofRow] : usage.columns.map(ofColumn);
  return [sumsOf(ofRow), cells.map(sumsOf)];
}

test('orders rows by the requested measure and combines the remaining ones in one row', async () => {
  const usage = await admin.call(usageApi.read, { query: { ...within, rows: 'model', measure: 'requests', top: 2 } });
  const counts = usage.rows.map(({ total }) => total.requests);
  expect(usage.rows).toHaveLength(3);
  expect(counts[0]).toBeGreaterThanOrEqual(counts[1] ?? 0);
  expect(usage.rows[2]).toMatchObject({ is_others: true, key: '' });
});

test('applies filters to all values, with users by name or id', async () => {
  const filter = { username: ann.username, model_name: 'a', channel: 2, group: 'vip', token_name: 'side' };
  const found = requests.filter(
    (row) =>
      row.user_id === ann.id &&
      row.model_name === 'a' &&
      row.channel === 2 &&
      row.group === 'vip' &&
      row.token_name === 'side',
  );
  const byName = await admin.call(usageApi.read, { query: { ...within, ...filter, rows: 'day' } });
  expect(byName.total).toEqual(sumsOf(found));
  const byId = await admin.call(usageApi.read, { query: { ...within, user_id: ann.id, rows: 'model' } });
  expect(byId.total).toEqual(sumsOf(requests.filter(({ user_id }) => user_id === ann.id)));
  const ofNobody = await admin.call(usageApi.read, { query: { ...within, username: 'nobody-of-that-name' } });
  expect(ofNobody).toMatchObject({ rows: [], cells: [], total: { requests: 0 } });
});

test("shows users only their own usage, without other users, channels or the operator's cost", async () => {
  const client = await app.signedIn(ann.username, ann.password);
  const own = await client.call(usageApi.readOwn, { query: { ...within, rows: 'model', columns: 'day' } });
  expect(own.total).toEqual({ ...sumsOf(requests.filter(({ user_id }) => user_id === ann.id)), cost: 0 });
  expect(JSON.stringify(own)).not.toMatch(/"cost":[1-9]/);
  for (const query of [{ rows: 'user' }, { rows: 'model', columns: 'channel' }] as never[]) {
    expect((await client.send(usageApi.readOwn, { query })).status).toBe(400);
  }
  const byCost = await client.call(usageApi.readOwn, { query: { ...within, measure: 'cost' } });
  const byQuota = await client.call(usageApi.readOwn, { query: { ...within, measure: 'quota' } });
  expect(byCost).toEqual(byQuota);
  expect((await client.send(usageApi.read, { query: { rows: 'model' } })).status).toBe(403);
});

test('returns the time of the first log, so that earlier hours can be distinguished from hours without requests', async () => {
  const query = { start_timestamp: sampleHour - day, end_timestamp: sampleHour + hour, rows: 'hour' } as const;
  const usage = await admin.call(usageApi.read, { query });
  expect(usage.first).toBe(sampleHour);
  expect(usage.rows).toHaveLength(26);
  expect(usage.rows[0]).toMatchObject({
    from: sampleHour - day,
    to: sampleHour - day + hour - 1,
    total: { requests: 0 },
  });
});

test.each([
  [1, 8_000_000_000_000],
  [8_000_000_000_000, Number.MAX_SAFE_INTEGER],
  [1, 2],
])('limits a very long time range, from %d to %d, to the period that can contain logs', async (start, end) => {
  const query = { start_timestamp: start, end_timestamp: end, zone: 'Europe/Berlin', user_id: ann.id } as const;
  const { from, to, first, total } = await admin.call(usageApi.read, { query });
  const hasLogs = start < sampleHour && end > sampleHour;
  expect(total.requests).toBe(hasLogs ? requests.filter(({ user_id }) => user_id === ann.id).length : 0);
  expect(from).toBeGreaterThanOrEqual(first - 101 * day);
  expect(to).toBeLessThan(Date.now() / 1000 + 101 * day);
  expect(to).toBeGreaterThan(from);
});

describe('invalid usage queries', () => {
  test.each([
    [{ rows: 'model', columns: 'model' }, 'Rows and columns must differ, and only one of them can be a time'],
    [{ rows: 'day', columns: 'hour' }, 'Rows and columns must differ, and only one of them can be a time'],
    [{ rows: 'day', start_timestamp: 2 * day, end_timestamp: day }, 'The end time is before the start time'],
    [
      { rows: 'hour', start_timestamp: 1, end_timestamp: sampleHour },
      'Too much data for one response. Choose a shorter time range or a larger interval',
    ],
  ] as const)('rejects %j', async (query, message) => {
    const { body } = await admin.send(usageApi.read, { query });
    expect(body).toEqual({ success: false, message });
  });

  test('rejects an unknown time zone', async () => {
    expect((await admin.send(usageApi.read, { query: { zone: 'Mars/Phobos' } })).status).toBe(400);
  });
});
