import { logType } from '@headgate/contract';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { failAfterStatements } from '../../testing/database/fail-after-statements.ts';
import { currentRollups, latencies, rollupsOfLogs, storedRollups } from '../../testing/records/rollups.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { createLogPerUser, randomSharedLog } from '../../testing/records/shared-token-names.ts';
import { expectTokenNameResults, timeAfterSamples } from '../../testing/records/token-name-results.ts';
import {
  createVariedLogs,
  deleteLogsBefore,
  expectUsageOfLogs,
  hour,
  usageSpans,
} from '../../testing/records/usage-results.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { RollupRepository, rollUpAll } from './rollup-repository.ts';

const random = sampleNumbers(47);
const upTo = (max: number) => Math.floor(random() * max);
const logsOfNames = (length: number) => Array.from({ length }, () => randomSharedLog(upTo, sampleHour, 30 * hour));

async function expectExact({ database }: TestApp): Promise<void> {
  expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
  const { stored, ofLogs } = await latencies(database);
  expect(stored).toEqual(ofLogs);
}

async function advance({ database }: Pick<TestApp, 'database'>, logs: number): Promise<boolean | undefined> {
  const rollups = new RollupRepository(database);
  return rollups.advance((await rollups.lastCompleteId()) ?? 0, logs);
}

test('[A58.4] rollups equal the logs after any order of writes, steps, interrupted steps and cleanups', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [...createLogPerUser('default'), ...logsOfNames(150)]);
  for (let step = 0; step < 24; step += 1) {
    const choice = upTo(10);
    if (choice < 3) await writeLogs(app.database, logsOfNames(1 + upTo(12)));
    else if (choice < 6) await advance(app, 1 + upTo(40));
    else if (choice < 9)
      await advance({ database: failAfterStatements(app.database, upTo(9)) }, 30).catch(() => undefined);
    else await deleteLogsBefore(app, sampleHour + upTo(step * hour));
    if (step % 4 === 3) await expectExact(app);
    if (step % 8 === 7) await expectTokenNameResults(app, ['default', 'second'][upTo(2)] ?? 'default');
  }
  await rollUpAll(app.database);
  expect(await storedRollups(app.database)).toEqual(await rollupsOfLogs(app.database));
  await expectExact(app);
  for (const name of ['default', 'second']) await expectTokenNameResults(app, name);
  await deleteLogsBefore(app, timeAfterSamples);
  await rollUpAll(app.database);
  // Only the audit events of the cleanups are left.
  expect((await storedRollups(app.database)).site_hours).toMatchObject([{ type: logType.management }]);
  expect(await storedRollups(app.database)).toEqual(await rollupsOfLogs(app.database));
});

test('adds nothing and keeps the watermark when a step is interrupted', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, createVariedLogs(20));
  for (const statements of [3, 5, 7]) {
    await expect(advance({ database: failAfterStatements(app.database, statements) }, 10)).rejects.toThrow('killed');
    expect(await new RollupRepository(app.database).rolledUpTo()).toBe(0);
    expect((await storedRollups(app.database)).usage_hours).toEqual([]);
  }
});

test('usage equals the logs before, during and after a rollup, with late logs and a cleanup', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, createVariedLogs(200));
  await expectUsageOfLogs(app, usageSpans[0]);
  await advance(app, 90);
  await expectUsageOfLogs(app, usageSpans[1]);
  await rollUpAll(app.database);
  await expectUsageOfLogs(app, usageSpans[0]);
  await writeLogs(app.database, createVariedLogs(9));
  await expectUsageOfLogs(app, usageSpans[1]);
  await deleteLogsBefore(app, sampleHour + 9 * hour + 1234);
  await expectUsageOfLogs(app, usageSpans[0]);
});

const oddNames: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['%', '_', '\\', "it's", '"', ';--', '{"token_name":[]}'],
  ...['0', '-1', '1e3', 'null', 'default', 'Default', 'DEFAULT'],
  ...['\u{1f600}', 'e\u0301', '\u00e9', '\u0130', 'a\u2028b', '\u202eb', 'a\tb', 'x'.repeat(300)],
];

test('[A58.5] counts token names separately, regardless of the characters they contain', async () => {
  await using app = await startTestApp();
  for (const [index, name] of oddNames.entries()) {
    // Each name has a different number of logs, in two hours.
    await writeLogs(app.database, createLogPerUser(name, sampleHour).slice(40));
    await writeLogs(app.database, createLogPerUser(name, sampleHour + hour).slice(20 + index));
  }
  await rollUpAll(app.database);
  for (const name of oddNames) await expectTokenNameResults(app, name);
});

test('[A58.6] rolls up thousands of token names with a few statements', async () => {
  await using app = await startTestApp();
  const names = 3000;
  const logs = Array.from({ length: names }, (_, index) => ({
    created_at: sampleHour + 1,
    user_id: 1001 + (index % 40),
    username: `user${1001 + (index % 40)}`,
    token_name: `name ${index}`,
    quota: 3,
  }));
  for (let start = 0; start < names; start += 500) await writeLogs(app.database, logs.slice(start, start + 500));
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await rollUpAll(app.database.withPlugin(counting));
  expect(statements).toBeLessThan(20);
  await expectTokenNameResults(app, 'name 77');
});
