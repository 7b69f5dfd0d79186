import { csvLine, type Log, logApi } from '@headgate/contract';
import { beforeAll, expect, test } from 'vitest';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { NewLog } from './log-repository.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);

const random = sampleNumbers(23);
const below = (end: number) => Math.floor(random() * end);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

/** Separators, quotes, line breaks, formula prefixes, and characters of one to four bytes. */
const pieces = [
  ...[
    '"',
    ',',
    '\r',
    '\n',
    '\r\n',
    '\t',
    '\\',
    "'",
    ';',
    '\u001f',
    '\u007f',
    ' ',
    '\u00a0',
    '\u2028',
    '\u3000',
    '\ufeff',
  ],
  ...['=', '+', '-', '@', '＝', '＋', '－', '＠', 'a', 'B', '7', '{"event"', 'é', '渠道', '🔑', '😀', '%s', '$1'],
];
const oddText = () => Array.from({ length: below(5) }, () => pick(pieces)).join('');
const oddPoints = () => pick([0, 1, 2, -1, 999, 500_000, 123_456_789, -5_000_000, 8_796_093_022_207]);
const oddCount = () => pick([0, 1, 7, 65_536, 2 ** 31 - 1]);
const oddDetail = () =>
  pick([
    '',
    '{"attempts":[{"channel":7,"status":500}],"modelRatio":1}',
    '{"from":"10.0.0.1","event":"user.disable","values":{"admin":"=root","user":"a,b"}}',
    '{"event":"user.disable","values":{"admin":"=root","user":"a,\\"b\\""}}',
    '{"event":"user.disable","values":{"admin":"渠道',
    '{"event":"unheard of"}',
  ]);

const samples = Array.from({ length: 3000 }, (_, index): Partial<NewLog> => {
  const owner = pick([{ user_id: 1001 }, { user_id: reader.id }]);
  return {
    ...owner,
    created_at: sampleHour - index * pick([1, 7, 900]),
    type: pick([1, 2, 3, 4, 5, 99]),
    content: oddText(),
    username: oddText(),
    token_name: oddText(),
    model_name: oddText(),
    quota: oddPoints(),
    prompt_tokens: oddCount(),
    completion_tokens: oddCount(),
    channel: oddCount(),
    request_id: oddText(),
    elapsed_time: oddCount(),
    is_stream: below(2),
    system_prompt_reset: below(2),
    detail: oddDetail(),
    ended_by: pick(['', 'client', 'upstream', 'quota', 'server']),
    group: oddText(),
    first_byte_time: oddCount(),
    status: oddCount(),
    reason: pick(['', 'timeout', 'key_rejected']),
    cached_tokens: oddCount(),
    cache_write_tokens: oddCount(),
    reasoning_tokens: oddCount(),
    cost: oddPoints(),
    node: oddText(),
  };
});
// The only row of its type, so that its sums are exact.
const largest: Partial<NewLog> = {
  user_id: 1001,
  created_at: sampleHour + 5,
  type: 98,
  quota: Number.MAX_SAFE_INTEGER,
  cost: Number.MAX_SAFE_INTEGER,
  prompt_tokens: Number.MAX_SAFE_INTEGER,
};

beforeAll(() => writeLogs(app.database, [...samples, largest]));

async function listed(row: typeof logApi.list | typeof logApi.listOwn): Promise<Log[]> {
  const client = row === logApi.list ? admin : own;
  const logs: Log[] = [];
  for (let p = 0; ; p += 1) {
    const { rows } = await client.page(row, { query: { p, size: 100 } });
    logs.push(...rows);
    if (rows.length < 100) return logs;
  }
}

/** Column order of the first version; never changes. */
const members = [
  ...(['id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'channel', 'request_id', 'elapsed_time', 'is_stream'] as const),
  ...(['system_prompt_reset', 'detail', 'ended_by', 'group', 'reason', 'status', 'first_byte_time'] as const),
  ...(['cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cost', 'node', 'channel_name'] as const),
];
const lineOf = (log: Log) => JSON.stringify(Object.fromEntries(members.map((name) => [name, log[name]])));

test.each([
  ['admins', logApi.list, {}],
  ['others', logApi.listOwn, { userId: reader.id }],
] as const)(
  '[A32.4] writes JSON lines equal to the listed rows, whatever their values, for %s',
  async (_, list, settings) => {
    const logs = await listed(list);
    const { text } = await exportLogFile(app.location, {}, { format: 'jsonl', ...settings });
    expect(text.split('\n').slice(0, -2)).toEqual(logs.map(lineOf));
  },
);

const labels: Readonly<Record<string, string>> = {
  ...{ 1: 'Top-up', 2: 'Consumption', 3: 'Management', 4: 'System', 5: 'Failed request' },
  ...{
    client: 'Client disconnected',
    upstream: 'Upstream disconnected',
    quota: 'Quota used up',
    budget: 'Budget used up',
  },
  ...{ server: 'Ended by the gateway', timeout: 'Timeout', key_rejected: 'Key rejected', '': '' },
};
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
const dollarsOf = (points: number) => Math.round((points / 500_000) * 1e6) / 1e6;
const sentenceOf = ({ content, detail }: Log) =>
  detail === '{"event":"user.disable","values":{"admin":"=root","user":"a,\\"b\\""}}' ? '=root banned a,"b"' : content;

const cellsOf = (log: Log) => [
  ...[timeOf(log.created_at), labels[log.type] ?? 'Unknown', log.channel || '', log.username, log.token_name],
  ...[log.model_name, log.prompt_tokens, log.completion_tokens, log.quota, dollarsOf(log.quota), dollarsOf(log.cost)],
  ...[log.cached_tokens, log.cache_write_tokens, log.reasoning_tokens, log.group, log.elapsed_time || ''],
  ...[log.first_byte_time || '', log.is_stream ? 1 : '', labels[log.ended_by] ?? '', log.status || ''],
  ...[labels[log.reason] ?? '', '', log.request_id, sentenceOf(log)],
];

test('[A32.1] writes CSV lines equal to the listed rows, regardless of their values', async () => {
  const logs = await listed(logApi.list);
  const { text } = await exportLogFile(app.location, {});
  const lines = logs.map((log) => csvLine(cellsOf(log)));
  const head = text.slice(0, text.indexOf('\r\n') + 2);
  expect(text.slice(head.length, head.length + lines.join('').length)).toBe(lines.join(''));
  const { quota } = largest;
  expect(text).toContain(`\r\nTotal,Unknown,,,,,${quota},0,${quota},${dollarsOf(Number(quota))},`);
});
