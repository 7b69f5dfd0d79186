import { type Log, logApi, totalHeader } from '@headgate/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { sampleHour, sampleLog, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { summedColumns } from './log-export-columns.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);

const hour = 3600;
const random = sampleNumbers(11);
const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

/** More logs in one second than fit on a page, many at the start or end of an hour, and days without logs. */
const samples = Array.from({ length: 7000 }, (_, index) =>
  sampleLog({
    ...pick(
      { user_id: 1001, username: 'ann' },
      { user_id: 1002, username: 'bob' },
      { user_id: reader.id, username: reader.username },
      { user_id: reader.id, username: 'ann' },
    ),
    created_at: sampleHour + pick(0, 0, 0, 0, 0, 1, 5, 41, 99, 400) * hour + pick(0, 0, 0, 0, 1, 1800, 3599),
    type: pick(1, 2, 2, 2, 3, 5),
    token_name: pick('', 'default', 'default', 'other'),
    model_name: pick('', 'gpt-4o', 'o3'),
    channel: pick(0, 7, 8),
    quota: Math.floor(random() * 1000),
    cost: Math.floor(random() * 500),
    prompt_tokens: index % 10,
    request_id: `request ${index}`,
  }),
);

beforeAll(() => writeLogs(app.database, samples));

const idsOf = (logs: readonly Log[]) => logs.map(({ id }) => id);

const linesOf = (text: string) => text.trimEnd().split('\n');

interface End {
  readonly complete: boolean;
  readonly rows: number;
  readonly sums: readonly object[];
}

function readLines(text: string): { logs: Log[]; end: End } {
  const values = linesOf(text).map((line) => JSON.parse(line) as Log & End);
  return { logs: values.slice(0, -1), end: values.at(-1) as End };
}

type Query = Record<string, string | number>;

async function listed(row: typeof logApi.list | typeof logApi.listOwn, query: Query): Promise<Log[]> {
  const client = row === logApi.list ? admin : own;
  const logs: Log[] = [];
  for (let p = 0; ; p += 1) {
    const { rows } = await client.page(row, { query: { ...query, p, size: 100 } });
    logs.push(...rows);
    if (rows.length < 100) return logs;
  }
}

const sumsOf = (logs: readonly Log[]) =>
  [...new Set(logs.map(({ type }) => type))]
    .sort((one, other) => one - other)
    .map((type) => {
      const alike = logs.filter((log) => log.type === type);
      const sums = summedColumns.map((name) => [name, alike.reduce((total, log) => total + log[name], 0)]);
      return { type, ...(Object.fromEntries(sums) as Record<(typeof summedColumns)[number], number>) };
    });

const filters: readonly Query[] = [
  {},
  { type: 2 },
  { model_name: 'o3', token_name: 'default' },
  { start_timestamp: sampleHour + 1, end_timestamp: sampleHour + 5 * hour + 1800 },
  { start_timestamp: sampleHour, end_timestamp: sampleHour },
  { type: 2, start_timestamp: sampleHour + 6 * hour },
  { model_name: 'nowhere' },
];
const adminFilters: readonly Query[] = [...filters, { username: 'ann' }, { channel: 7, username: 'ann' }];

/** Reference implementation of the list filter. */
const matches = ({ start_timestamp = 0, end_timestamp = Number.MAX_SAFE_INTEGER, ...exact }: Query) => {
  const columns = Object.entries(exact) as [keyof Log, string | number][];
  return (log: Log) =>
    log.created_at >= Number(start_timestamp) &&
    log.created_at <= Number(end_timestamp) &&
    columns.every(([name, value]) => log[name] === value);
};

async function exported(query: Query, own: { readonly userId?: number } = {}) {
  const { text, total } = await exportLogFile(app.location, query, { format: 'jsonl', ...own });
  return { total, ...readLines(text) };
}

describe('log export', () => {
  test('exports the same rows as the list to admins, for every filter', async () => {
    const all = await listed(logApi.list, {});
    for (const query of adminFilters) {
      const expected = all.filter(matches(query));
      const { logs, end, total } = await exported(query);
      // Ids are compared first, because a diff of thousands of rows takes minutes to print.
      expect(idsOf(logs), JSON.stringify(query)).toEqual(idsOf(expected));
      expect(logs).toEqual(expected);
      expect(end).toEqual({ complete: true, rows: expected.length, sums: sumsOf(expected) });
      expect(total).toBe(expected.length);
    }
  });

  test('exports the same rows as the list to other users, for every filter', async () => {
    const all = await listed(logApi.listOwn, {});
    for (const query of filters) {
      const expected = all.filter(matches(query));
      const { logs } = await exported(query, { userId: reader.id });
      expect(idsOf(logs), JSON.stringify(query)).toEqual(idsOf(expected));
      expect(logs).toEqual(expected);
    }
  });

  test('exports the listed rows to admins through the API', async () => {
    const query = { type: 2, model_name: 'o3', start_timestamp: sampleHour + 1 };
    const expected = await listed(logApi.list, query);
    const { text, headers } = await admin.send(logApi.export, { query: { ...query, format: 'jsonl' } });
    const { logs, end } = readLines(text);
    expect(logs).toEqual(expected);
    expect(end).toEqual({ complete: true, rows: expected.length, sums: sumsOf(expected) });
    expect(headers.get(totalHeader)).toBe(String(expected.length));
  });

  test("[A32.4] exports only the user's own logs through the API, regardless of the requested user", async () => {
    const query = { type: 2, start_timestamp: sampleHour + 1 };
    const expected = await listed(logApi.listOwn, query);
    const exportQuery = { ...query, format: 'jsonl', username: 'bob', user_id: 1002 };
    const { logs } = readLines((await own.send(logApi.exportOwn, { query: exportQuery })).text);
    expect(logs).toEqual(expected);
    expect(logs.length).toBeGreaterThan(100);
    expect(logs.every(({ user_id, cost }) => user_id === reader.id && cost === 0)).toBe(true);
  });
});

test('a CSV file has a line for each row, followed by the sums by type', async () => {
  const query = { model_name: 'o3', type: 2, username: 'bob', end_timestamp: sampleHour + hour };
  const logs = await listed(logApi.list, query);
  const { text, headers } = await admin.send(logApi.export, { query });
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="logs-[\d-]+\.csv"$/);
  expect(head).toBe(
    'Time,Type,Channel,User,Token,Model,Prompt tokens,Completion tokens,Quota (points),Quota (USD),Cost (USD),' +
      'Cached tokens,Cache write tokens,Reasoning tokens,Group,Duration (ms),Time to first byte (ms),Stream,' +
      'Ended early,HTTP status,Reason,Tags,Request ID,Details',
  );
  expect(lines.slice(0, -2).map((line) => line.split(',')[22])).toEqual(logs.map(({ request_id }) => request_id));
  const [sum] = sumsOf(logs);
  expect(lines.at(-2)).toBe(
    `Total,Consumption,,,,,${sum?.prompt_tokens},0,${sum?.quota},${(sum?.quota ?? 0) / 500_000},${(sum?.cost ?? 0) / 500_000},0,0,0,,,,,,,,,,`,
  );
  expect(lines.at(-1)).toBe(
    `Export range,1970-01-01 00:00:00 – 2023-11-14 23:00:00,${logs.length} of ${logs.length} rows`,
  );
});
