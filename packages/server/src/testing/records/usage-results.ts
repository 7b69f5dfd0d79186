import { logApi, logType, type UsageAxis, usageApi } from '@headgate/contract';
import { expect } from 'vitest';
import type { NewLog } from '../../records/logs/log-repository.ts';
import type { TestApp } from '../test-app.ts';
import { sampleHour, sampleNumbers } from './sample-logs.ts';
import { compareUsageWithLogs } from './usage-of-logs.ts';

export const hour = 3600;
const day = 86_400;
/** One whole day (UTC) and some hours before and after it. */
const span = 36 * hour;

const random = sampleNumbers(17);
const upTo = (max: number) => Math.floor(random() * max);

/** Varied requests and other events of a few users. */
export const createVariedLogs = (length: number, from = sampleHour, seconds = span): Partial<NewLog>[] =>
  Array.from({ length }, () => {
    const type = [2, 2, 2, 2, 5, 3][upTo(6)] ?? 2;
    const user_id = 1001 + upTo(12);
    const spent = type === logType.consumption ? 1 : 0;
    return {
      created_at: from + upTo(seconds),
      type,
      user_id,
      username: `user${user_id}`,
      token_name: ['', 'main', 'side'][upTo(3)] ?? '',
      model_name: ['', 'a', 'b', 'c'][upTo(4)] ?? '',
      channel: upTo(4),
      group: ['', 'default', 'vip'][upTo(3)] ?? '',
      quota: spent * upTo(100_000),
      prompt_tokens: spent * upTo(300),
      completion_tokens: spent * upTo(300),
      cached_tokens: spent * upTo(9),
      cost: spent * (1 + upTo(70_000)),
    };
  });

const questions: readonly (readonly [UsageAxis, UsageAxis | '', Partial<NewLog>])[] = [
  ['model', '', {}],
  ['user', '', {}],
  ['channel', 'model', {}],
  ['group', 'day', {}],
  ['user', 'model', {}],
  ['day', 'user', {}],
  ['user', 'group', { model_name: 'a' }],
  ['token', 'channel', { user_id: 1003 }],
  ['model', 'day', { user_id: 1002 }],
  ['model', 'day', { username: 'user1004' }],
  ['day', '', { channel: 2, group: 'vip' }],
];

/** A span of whole days, and a span that starts and ends within a day. */
export const usageSpans = [
  [sampleHour - (sampleHour % day), sampleHour + span + day],
  [sampleHour + hour, sampleHour + 29 * hour - 1],
] as const;

export async function expectUsageOfLogs(app: TestApp, [from, to]: (typeof usageSpans)[number]): Promise<void> {
  const admin = await app.as('admin');
  const all = await app.database.selectFrom('logs').selectAll().where('type', 'in', [2, 5]).execute();
  for (const [rows, columns, filter] of questions) {
    const time = { start_timestamp: from, end_timestamp: to, zone: 'Asia/Shanghai', top: 5 };
    const usage = await admin.call(usageApi.read, { query: { ...time, ...filter, rows, columns } });
    const logs = all.filter(
      (log) =>
        log.created_at >= usage.from &&
        log.created_at <= usage.to &&
        Object.entries(filter).every(([column, value]) => log[column as 'type'] === value),
    );
    const { reported, added } = compareUsageWithLogs(usage, logs, { rows, columns, offset: 8 * hour });
    expect(reported, `${rows} by ${columns} of ${JSON.stringify(filter)}`).toEqual(added);
  }
}

export const deleteLogsBefore = async (app: TestApp, time: number) =>
  (await app.as('admin')).call(logApi.clean, { query: { target_timestamp: time } });
