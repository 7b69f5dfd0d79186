import { logApi, type UsageAxis, usageApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { createLogPerUser, randomSharedLog } from '../../testing/records/shared-token-names.ts';
import { compareUsageWithLogs } from '../../testing/records/usage-of-logs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { rollUpAll } from '../logs/rollup-repository.ts';

const hour = 3600;
const span = 30 * hour;

const random = sampleNumbers(78);
const upTo = (max: number) => Math.floor(random() * max);
const someLogs = (length: number) => Array.from({ length }, () => randomSharedLog(upTo, sampleHour, span));

type Filter = Readonly<Record<string, string | number>>;

const questions: readonly (readonly [UsageAxis, UsageAxis | '', Filter])[] = [
  ['model', '', {}],
  ['day', '', {}],
  ['channel', 'model', {}],
  ['group', 'day', {}],
  ['model', 'day', { channel: 2 }],
  ['user', 'model', {}],
  ['token', '', {}],
  ['day', 'model', { user_id: 1007 }],
  ['model', '', { username: 'user1003' }],
];

async function expectUsageOf(app: TestApp, token_name: string): Promise<void> {
  const admin = await app.as('admin');
  const all = await app.database
    .selectFrom('logs')
    .selectAll()
    .where('type', 'in', [2, 5])
    .where('token_name', '=', token_name)
    .execute();
  const time = { start_timestamp: sampleHour + hour, end_timestamp: sampleHour + span, zone: 'Asia/Shanghai', top: 50 };
  for (const [rows, columns, filter] of questions) {
    const query = { ...time, ...filter, token_name, rows, columns };
    const usage = await admin.call(usageApi.read, { query });
    const logs = all.filter(
      (log) =>
        log.created_at >= usage.from &&
        log.created_at <= usage.to &&
        Object.entries(filter).every(([column, value]) => log[column as 'type'] === value),
    );
    // This helper does not distinguish tokens with the same name that belong to different users.
    const { reported, added } = compareUsageWithLogs(usage, logs, { rows, columns, offset: 8 * hour });
    const name = `${rows} by ${columns} of ${token_name} with ${JSON.stringify(filter)}`;
    if (rows === 'token') expect(reported.total, name).toEqual(added.total);
    else expect(reported, name).toEqual(added);
  }
}

test('usage of a token name shared by many users equals its logs before and after rollups, late logs and a cleanup', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [...createLogPerUser('default'), ...someLogs(200)]);
  await expectUsageOf(app, 'default');
  await rollUpAll(app.database);
  await expectUsageOf(app, 'default');
  await writeLogs(app.database, someLogs(9));
  await expectUsageOf(app, 'default');
  const admin = await app.as('admin');
  await admin.call(logApi.clean, { query: { target_timestamp: sampleHour + 9 * hour + 1234 } });
  await expectUsageOf(app, 'default');
  await writeLogs(app.database, createLogPerUser('second', sampleHour + 12 * hour));
  await rollUpAll(app.database);
  await expectUsageOf(app, 'default');
  await expectUsageOf(app, 'second');
});
