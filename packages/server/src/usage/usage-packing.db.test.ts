import { logApi, logType, type UsageAxis, usageApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import type { NewLog } from '../logs/log-repository.ts';
import type { Summable } from '../logs/roll-up.ts';
import { SumFoldRepository } from '../logs/sum-fold-repository.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../testing/sample-logs.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { besideLogs } from '../testing/usage-of-logs.ts';
import { endingAfter, packerOf } from '../testing/usage-packer.ts';
import { packHour } from './make-pack.ts';
import { UsagePackRepository } from './usage-pack-repository.ts';

const hour = 3600;
const day = 86_400;
/** When every hour of the samples is long over. */
const later = sampleHour + 30 * day;
/** One whole day of UTC, and some hours before and after it. */
const span = 36 * hour;

const random = sampleNumbers(17);
const upTo = (most: number) => Math.floor(random() * most);

/** Requests and other events of a few users in a time, as different as they are. */
const someLogs = (length: number, from = sampleHour, seconds = span): Partial<NewLog>[] =>
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
      cost: spent * upTo(70_000),
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

/** One of whole days, and one that begins and ends within them. */
const spans = [
  [sampleHour - (sampleHour % day), sampleHour + span + day],
  [sampleHour + hour, sampleHour + 29 * hour - 1],
] as const;

async function expectUsageOfLogs(app: TestApp, [from, to]: (typeof spans)[number]): Promise<void> {
  const admin = await app.as('admin');
  const all = await app.database.selectFrom('logs').selectAll().where('type', 'in', [2, 5]).execute();
  for (const [rows, columns, filter] of questions) {
    const time = { start_timestamp: from, end_timestamp: to, zone: 'Asia/Shanghai', top: 5 };
    const usage = await admin.call(usageApi.read, { query: { ...time, ...filter, rows, columns } as never });
    const logs = all.filter(
      (log) =>
        log.created_at >= usage.from &&
        log.created_at <= usage.to &&
        Object.entries(filter).every(([column, value]) => log[column as 'type'] === value),
    );
    const { told, added } = besideLogs(usage, logs, { rows, columns, offset: 8 * hour });
    expect(told, `${rows} by ${columns} of ${JSON.stringify(filter)}`).toEqual(added);
  }
}

const cleanBefore = async (app: TestApp, time: number) =>
  (await app.as('admin')).call(logApi.clean, { query: { target_timestamp: time } });

async function unpackedHours({ database }: TestApp): Promise<number> {
  const hours = await new UsagePackRepository(database).hours(0, later);
  return hours.filter(({ logged, packed }) => logged !== packed).length;
}

test('usage is what the logs add up to before, while and after it is packed, wherever that is broken off', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, someLogs(300));
  await expectUsageOfLogs(app, spans[0]);
  for (const statements of [1, 2, 3, 4, 5, 6, 7, 40, 140]) {
    await expect(packerOf(endingAfter(app.database, statements)).pack(later)).rejects.toThrow('killed');
    if (statements > 2 && statements !== 40) await expectUsageOfLogs(app, spans[1]);
  }
  await packerOf(app.database).pack(later);
  expect(await unpackedHours(app)).toBe(0);
  await expectUsageOfLogs(app, spans[0]);
});

test('usage is what the logs add up to after late logs and cleaning, packed anew or not', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, someLogs(200));
  await packerOf(app.database).pack(later);
  for (const round of [1, 3]) {
    await writeLogs(app.database, someLogs(9));
    await expectUsageOfLogs(app, spans[1]);
    await cleanBefore(app, sampleHour + round * 9 * hour + 1234);
    await expectUsageOfLogs(app, spans[0]);
    await writeLogs(app.database, someLogs(5, sampleHour, day));
    await packerOf(app.database).pack(later);
    expect(await unpackedHours(app)).toBe(0);
    await expectUsageOfLogs(app, spans[0]);
  }
  await cleanBefore(app, later);
  await expectUsageOfLogs(app, spans[1]);
  expect(await app.database.selectFrom('user_hours').selectAll().execute()).toEqual([]);
});

test('as many logs written as deleted do not make what was packed hold', async () => {
  await using app = await startTestApp();
  const old = someLogs(40, sampleHour, hour).map((log) => ({ ...log, type: logType.consumption }));
  await writeLogs(app.database, old);
  await packerOf(app.database).pack(later);
  // What was read once is known from here on.
  await expectUsageOfLogs(app, spans[0]);
  const deleted = old.filter(({ created_at = 0 }) => created_at < sampleHour + hour / 2).length;
  await cleanBefore(app, sampleHour + hour / 2);
  const written = someLogs(deleted, sampleHour + hour / 2, hour / 2);
  await writeLogs(
    app.database,
    written.map((log) => ({ ...log, type: logType.consumption })),
  );
  await expectUsageOfLogs(app, spans[0]);
  await packerOf(app.database).pack(later);
  expect(await unpackedHours(app)).toBe(0);
  await expectUsageOfLogs(app, spans[0]);
});

test('who packs an hour from what it was before others packed or emptied it writes nothing', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, someLogs(60, sampleHour, hour));
  const packs = new UsagePackRepository(app.database);
  const claim = -17;
  const readSlowly = async () => {
    await new SumFoldRepository(app.database).fold();
    await packs.claim(sampleHour, claim);
    const finest: Summable[] = [];
    for await (const some of packs.finest(sampleHour)) finest.push(...some);
    return finest;
  };
  const writeLate = async (finest: readonly Summable[]) => {
    const isWritten = await packs.writeUsers(sampleHour, claim, finest);
    const isFinished = await packs.finish(
      claim,
      packHour('site', sampleHour, finest),
      packHour('users', sampleHour, finest),
    );
    return [isWritten, isFinished];
  };

  const beforeOthers = await readSlowly();
  await writeLogs(app.database, someLogs(20, sampleHour, hour));
  await packerOf(app.database).pack(later);
  expect(await writeLate(beforeOthers)).toEqual([false, false]);
  await expectUsageOfLogs(app, spans[1]);

  const beforeCleaning = await readSlowly();
  await cleanBefore(app, sampleHour + hour / 2);
  expect(await writeLate(beforeCleaning)).toEqual([false, false]);
  await expectUsageOfLogs(app, spans[0]);

  const beforeLateLogs = await readSlowly();
  await writeLogs(app.database, someLogs(20, sampleHour, hour));
  expect(await writeLate(beforeLateLogs)).toEqual([true, false]);
  await expectUsageOfLogs(app, spans[1]);
});

test('two that pack, one that cleans and many that write at once leave usage that is what the logs add up to', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, someLogs(300));
  const writing = async () => {
    for (let turn = 0; turn < 20; turn += 1) await writeLogs(app.database, someLogs(4));
  };
  await Promise.all([
    packerOf(app.database).pack(later),
    writing(),
    packerOf(app.database).pack(later),
    cleanBefore(app, sampleHour + 12 * hour),
    writing(),
  ]);
  await expectUsageOfLogs(app, spans[0]);
  await packerOf(app.database).pack(later);
  expect(await unpackedHours(app)).toBe(0);
  await expectUsageOfLogs(app, spans[1]);
});

const damages: Readonly<Record<string, Record<string, string | Uint8Array | null>>> = {
  'names that are no JSON': { names: '{"model_name":["a"' },
  'names of another shape': { names: '{"model_name":7}' },
  'a column of no width': { model_name: Uint8Array.of(1, 2, 3) },
  'a column that was cut': { quota: Uint8Array.of(1, 2, 8) },
  'an empty column': { requests: new Uint8Array() },
  'a missing column': { quota: null },
};

test.each(Object.entries(damages))(
  'packs with %s are dropped when they are asked for or packed further, and made anew',
  async (_, damage) => {
    await using app = await startTestApp();
    const midnight = sampleHour - (sampleHour % day);
    await writeLogs(app.database, someLogs(120, midnight, day));
    const damageAll = () => app.database.updateTable('usage_packs').set(damage).execute();
    await packerOf(app.database).pack(later);
    await damageAll();
    await expectUsageOfLogs(app, spans[0]);
    await packerOf(app.database).pack(later);
    expect(await unpackedHours(app)).toBe(0);
    await expectUsageOfLogs(app, spans[0]);

    await app.database.deleteFrom('usage_packs').where('kind', 'in', ['site_day', 'users_day']).execute();
    await damageAll();
    await packerOf(app.database).pack(later);
    await packerOf(app.database).pack(later);
    expect(await unpackedHours(app)).toBe(0);
    await expectUsageOfLogs(app, spans[0]);
  },
);

test('hours are packed when they are long over, days when all of theirs are', async () => {
  await using app = await startTestApp();
  const midnight = sampleHour - (sampleHour % day);
  await writeLogs(app.database, someLogs(200, midnight, day));
  const kinds = async () => {
    const rows = await app.database.selectFrom('usage_packs').select('kind').distinct().orderBy('kind').execute();
    return rows.map(({ kind }) => kind);
  };
  await packerOf(app.database).pack(midnight + hour);
  expect(await kinds()).toEqual([]);
  await packerOf(app.database).pack(midnight + day);
  expect(await kinds()).toEqual(['site', 'users']);
  await packerOf(app.database).pack(midnight + day + hour);
  expect(await kinds()).toEqual(['site', 'site_day', 'users', 'users_day']);
  await expectUsageOfLogs(app, spans[0]);
});
