import { logApi, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

test('[A32.4] a CSV file for a user contains neither channels nor costs', async () => {
  const { text } = await exportLogFile(app.location, {}, { userId: 1001 });
  expect(text.split('\r\n')[0]).toMatch(/^\ufeffTime,Type,Token,Model,/);
  expect(text.split('\r\n')[0]).not.toMatch(/Channel|User|Cost/);
});

test('[A32.1] token, model and user names cannot become formulas in a CSV file', async () => {
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
  const created_at = sampleHour + 3_600_000;
  await writeLogs(
    app.database,
    names.map((name) => ({ created_at, username: name, token_name: name, model_name: name })),
  );
  const { text } = await exportLogFile(app.location, { start_timestamp: created_at });
  for (const cell of Object.values(cells)) expect(text).toContain(`,Consumption,,${cell},${cell},${cell},0,`);
});

test('writes times in the requested time zone across daylight saving changes', async () => {
  const times = [1_711_846_799, 1_711_846_800, 1_729_990_799, 1_729_990_800];
  await writeLogs(
    app.database,
    times.map((created_at) => ({ created_at, model_name: 'clocks' })),
  );
  const timesIn = async (timeZone: string) => {
    const { text } = await exportLogFile(app.location, { model_name: 'clocks' }, { timeZone });
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
  const { status, text } = await (await app.as('admin')).send(logApi.export, { query: { time_zone: 'Mars/Olympus' } });
  expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ success: false })]);
});

test('writes a CSV file in the language of the request, including log texts', async () => {
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
  const english = await exportLogFile(app.location, query);
  expect(english.text).toContain(',root banned leser\r\n');
  expect(english.text).toContain(',root deleted 5 logs before 1970-01-01 00:00:00\r\n');
  expect(english.text).toContain(',as it is\r\n');
  const chinese = await exportLogFile(app.location, query, { language: 'zh' });
  expect(chinese.text).toMatch(/^\ufeff时间,类型,渠道,用户,/);
  expect(chinese.text).toContain(',root 封禁了 leser\r\n');
  expect(chinese.text).toMatch(/\r\n合计,管理操作,/);
  expect(chinese.text).toContain('3 / 3 行');
});

test('returns only the row count of an export for HEAD', async () => {
  await writeLogs(app.database, [{ model_name: 'head' }, { model_name: 'head' }]);
  const admin = await app.as('admin');
  const { status, headers, text } = await admin.request('HEAD', `${logApi.export.path}?model_name=head`);
  expect([status, headers.get('x-total-count'), text]).toEqual([200, '2', '']);
  expect((await admin.send(logApi.export, { query: { model_name: 'head' } })).status).toBe(200);
});

test('[A74.1] exports logs whose detail is damaged or has tags in a different format', async () => {
  const created_at = sampleHour + 72_000_000;
  const details = [
    '{"request_tags":{"team":"se',
    '{"values":{"request_tags":{"a":"b"}},"n":1}',
    '{"request_tags":{"team":7}}',
  ];
  await writeLogs(
    app.database,
    details.map((detail, index) => ({ created_at, detail, model_name: `damaged-${index}` })),
  );
  const { text } = await exportLogFile(app.location, { start_timestamp: created_at, end_timestamp: created_at });
  for (const index of details.keys()) expect(text).toContain(`damaged-${index}`);
});

test('[A77.3] writes a log whose detail has no valid values, and all others', async () => {
  const created_at = sampleHour + 72_000_000;
  const details = [
    '{"event":"channel.created","values":null}',
    '{"event":null}',
    '{"event"',
    '{"event":"channel.created"}',
  ];
  await writeLogs(
    app.database,
    details.map((detail) => ({ created_at, type: logType.management, username: 'of-other-version', detail })),
  );
  const { text } = await exportLogFile(app.location, { start_timestamp: created_at, end_timestamp: created_at });
  expect(text.split('of-other-version')).toHaveLength(1 + details.length);
});
