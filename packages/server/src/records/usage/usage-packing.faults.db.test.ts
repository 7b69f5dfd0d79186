import { logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import {
  cleanBefore,
  day,
  expectUsageOfLogs,
  hour,
  later,
  someLogs,
  spans,
  unpackedHours,
} from '../../testing/records/packed-usage.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { Summable } from '../logs/roll-up.ts';
import { SumFoldRepository } from '../logs/sum-fold-repository.ts';
import { packHour } from './make-pack.ts';
import { UsagePackRepository } from './usage-pack-repository.ts';

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
  'packs with %s are dropped when they are read or packed further, and rebuilt',
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
