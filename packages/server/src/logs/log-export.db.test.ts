import { type Log, logApi, logType, totalHeader } from '@headgate/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleHour, sampleLog, sampleNumbers, writeLogs } from '../testing/sample-logs.ts';
import { useTestApp } from '../testing/test-app.ts';
import { summed } from './log-export-columns.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);

const hour = 3600;
const random = sampleNumbers(11);
const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

/** More than a page in one second, many at the edges of hours, days without any between. */
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
      const sums = summed.map((name) => [name, alike.reduce((total, log) => total + log[name], 0)]);
      return { type, ...(Object.fromEntries(sums) as Record<(typeof summed)[number], number>) };
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

describe('an export has the rows of the list', () => {
  test.each([...filters, { username: 'ann' }, { channel: 7, username: 'ann' }])('for admins, %j', async (query) => {
    const expected = await listed(logApi.list, query);
    const { text, headers } = await admin.send(logApi.export, { query: { ...query, format: 'jsonl' } });
    const { logs, end } = readLines(text);
    expect(logs).toEqual(expected);
    expect(end).toEqual({ complete: true, rows: expected.length, sums: sumsOf(expected) });
    expect(headers.get(totalHeader)).toBe(String(expected.length));
  });

  test.each(filters)('[A32.4] for others the own ones alone, %j', async (query) => {
    const expected = await listed(logApi.listOwn, query);
    // What only admins may filter by is not heard.
    const asked = { ...query, format: 'jsonl', username: 'bob', user_id: 1002 };
    const { logs } = readLines((await own.send(logApi.exportOwn, { query: asked })).text);
    expect(logs).toEqual(expected);
    expect(logs.every(({ user_id, cost }) => user_id === reader.id && cost === 0)).toBe(true);
  });
});

test('a CSV has a line for each row, then the sums by type', async () => {
  const query = { model_name: 'o3', type: 2, username: 'bob', end_timestamp: sampleHour + hour };
  const logs = await listed(logApi.list, query);
  const { text, headers } = await admin.send(logApi.export, { query });
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="logs-[\d-]+\.csv"$/);
  expect(head).toBe(
    'Time,Type,Channel,User,Token,Model,Prompt tokens,Completion tokens,Points of quota,Quota in dollars,Cost in dollars,' +
      'Cached tokens,Cache-writing tokens,Reasoning tokens,Group,Milliseconds,Milliseconds to the first byte,Stream,' +
      'Ended early,HTTP status,Reason,Request ID,Details',
  );
  expect(lines.slice(0, -2).map((line) => line.split(',')[21])).toEqual(logs.map(({ request_id }) => request_id));
  const [sum] = sumsOf(logs);
  expect(lines.at(-2)).toBe(
    `Sum,Consumption,,,,,${sum?.prompt_tokens},0,${sum?.quota},${(sum?.quota ?? 0) / 500_000},${(sum?.cost ?? 0) / 500_000},0,0,0,,,,,,,,,`,
  );
  expect(lines.at(-1)).toBe(`Covered,1970-01-01 00:00:00 – 2023-11-14 23:00:00,${logs.length} of ${logs.length} rows`);
});

test('[A32.4] users see neither channels nor costs in their CSV', async () => {
  const { text } = await own.send(logApi.exportOwn, { query: { type: 2 } });
  expect(text.split('\r\n')[0]).not.toMatch(/Channel|User|Cost/);
});

test('[A32.1] what people call tokens, models and themselves is no formula in a CSV', async () => {
  const cells = {
    '=1+1': "'=1+1",
    '+1': "'+1",
    '-1': "'-1",
    '@sum(A1)': "'@sum(A1)",
    '\tx': "'\tx",
    '\rx': '"\'\rx"',
    '＝1': "'＝1",
    'a,b': '"a,b"',
    'say "hi"': '"say ""hi"""',
    plain: 'plain',
  };
  const names = Object.keys(cells);
  const created_at = sampleHour + 1000 * hour;
  await writeLogs(
    app.database,
    names.map((name) => ({ created_at, username: name, token_name: name, model_name: name })),
  );
  const { text } = await admin.send(logApi.export, { query: { start_timestamp: created_at } });
  for (const cell of Object.values(cells)) expect(text).toContain(`,Consumption,,${cell},${cell},${cell},0,`);
});

test('times are those of the time zone, across the change of its clocks', async () => {
  const times = [1_711_846_799, 1_711_846_800, 1_729_990_799, 1_729_990_800];
  await writeLogs(
    app.database,
    times.map((created_at) => ({ created_at, model_name: 'clocks' })),
  );
  const timesIn = async (time_zone: string) => {
    const { text } = await admin.send(logApi.export, { query: { model_name: 'clocks', time_zone } });
    return text
      .split('\r\n')
      .slice(1, 5)
      .map((line) => line.split(',')[0]);
  };
  expect(await timesIn('Europe/Berlin')).toEqual([
    '2024-10-27 02:00:00',
    '2024-10-27 02:59:59',
    '2024-03-31 03:00:00',
    '2024-03-31 01:59:59',
  ]);
  expect((await timesIn('Asia/Kathmandu'))[0]).toBe('2024-10-27 06:45:00');
  const { status, text } = await admin.send(logApi.export, { query: { time_zone: 'Mars/Olympus' } });
  expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ success: false })]);
});

test('a CSV is in the language of whoever asks, sentences included', async () => {
  const { username } = await app.createUser({ username: 'leser' });
  await writeLogs(app.database, [
    {
      username,
      model_name: 'words',
      type: logType.management,
      content: 'root banned leser',
      detail: JSON.stringify({ event: 'user.disable', values: { admin: 'root', user: 'leser' } }),
    },
    {
      username,
      model_name: 'words',
      type: logType.management,
      content: 'root deleted 5 logs before then',
      detail: JSON.stringify({ event: 'log.cleaned', values: { admin: 'root', count: 5, time: 'then', seconds: 0 } }),
    },
    { username, model_name: 'words', content: 'as it is', detail: '{"event"' },
  ]);
  const query = { model_name: 'words', username, end_timestamp: sampleHour };
  const english = await admin.send(logApi.export, { query });
  expect(english.text).toContain(',root banned leser\r\n');
  expect(english.text).toContain(',root deleted 5 logs before 1970-01-01 00:00:00\r\n');
  expect(english.text).toContain(',as it is\r\n');
  const chinese = await admin.send(logApi.export, { query, headers: { 'accept-language': 'zh-CN' } });
  expect(chinese.text).toMatch(/^时间,类型,渠道,用户,/);
  expect(chinese.text).toContain(',root 封禁了 leser\r\n');
  expect(chinese.text).toMatch(/\r\n合计,管理操作,/);
  expect(chinese.text).toContain('3 / 3 行');
});
