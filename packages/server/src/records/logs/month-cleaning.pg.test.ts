import { setImmediate as turn } from 'node:timers/promises';
import { ledgerApi, logApi, logType } from '@headgate/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { monthAt } from '../../platform/db/months.ts';
import { createPastMonths } from '../../testing/records/past-months.ts';
import { currentRollups, latencies, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { LedgerRepository } from '../ledger/ledger-repository.ts';

const secondsPerDay = 86_400;
const now = Math.floor(Date.now() / 1000);
/** Three past months. */
const first = monthAt(now, -3);
const { start: firstStart, end: secondStart } = first;
const thirdStart = monthAt(now, -1).start;

const random = sampleNumbers(11);
const upTo = (max: number) => Math.floor(random() * max);

type Logs = NonNullable<Parameters<typeof writeLogs>[1]>;

/** Logs of random users at the given times. */
const logsAt = (users: readonly number[], times: readonly number[]): Logs =>
  times.map((created_at) => ({
    created_at,
    type: [2, 2, 2, 5, 1, 3][upTo(6)] ?? 2,
    user_id: users[upTo(users.length)] ?? 0,
    token_name: `t${upTo(3)}`,
    model_name: ['', 'a', 'b'][upTo(3)] ?? '',
    channel: upTo(3),
    group: ['', 'default'][upTo(2)] ?? '',
    quota: upTo(1000),
    elapsed_time: upTo(3) * 1000,
    first_byte_time: upTo(3) * 100,
  }));

const timesIn = (from: number, to: number, length: number) => Array.from({ length }, () => from + upTo(to - from));

/** App with partitions since the first month, and users whose used quota matches their logs. */
async function startWithMonths(between: readonly (readonly [from: number, to: number, count: number])[]) {
  const app = await startTestApp();
  await createPastMonths(app.database, firstStart);
  const users = [];
  for (let count = 0; count < 4; count += 1) users.push((await app.createUser()).id);
  const logs = logsAt(users, [
    ...between.flatMap(([from, to, count]) => timesIn(from, to, count)),
    ...between.flatMap(([from, to]) => [from, to - 1]),
  ]);
  await consume(app, logs);
  const admin = await app.as('admin');
  const clean = (target_timestamp: number) => admin.call(logApi.clean, { query: { target_timestamp } });
  return { app, users, logs, admin, clean, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Writes logs and adds their quota to the users. */
async function consume(app: TestApp, logs: Logs): Promise<void> {
  await writeLogs(app.database, logs);
  const consumed = logs.filter(({ type }) => type === logType.consumption);
  for (const [user, own] of Map.groupBy(consumed, ({ user_id = 0 }) => user_id)) {
    const used = own.reduce((sum, { quota = 0 }) => sum + quota, 0);
    await sql`update users set used_quota = used_quota + ${used}, credited = credited + ${used} where id = ${user}`.execute(
      app.database,
    );
  }
}

async function expectTheBooksToBalance({ database }: TestApp) {
  expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
  const { stored, ofLogs } = await latencies(database);
  expect(stored).toEqual(ofLogs);
  for (const evidence of ['rows', 'sums'] as const) {
    expect(await new LedgerRepository(database).check(evidence)).toMatchObject({
      drift: 0,
      log_drift: 0,
      offenders: [],
    });
  }
}

const timesLeft = async ({ database }: TestApp) => {
  const rows = await database.selectFrom('logs').select('created_at').where('created_at', '<', thirdStart).execute();
  return rows.map(({ created_at }) => created_at).sort((one, other) => one - other);
};

/** Size of a partition on disk. */
const bytesOf = async ({ database }: TestApp, part: string) => {
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size(${part}) as bytes`.execute(database);
  return rows[0]?.bytes;
};

describe('[A9.8] deletion of whole months', () => {
  test.each([
    ['at the first second of a month', secondStart],
    ['one second after the start of a month', secondStart + 1],
    ['one second before the start of a month', secondStart - 1],
    ['in the middle of a month', secondStart + 15 * secondsPerDay + 1234],
    ['after two whole months', thirdStart + 60],
  ])(
    'truncates whole months and deletes other logs row by row, with exact totals, for a time %s',
    async (_, target) => {
      await using scene = await startWithMonths([
        [firstStart - 40 * secondsPerDay, firstStart, 60],
        [firstStart, secondStart, 300],
        [secondStart, thirdStart, 300],
      ]);
      const { app, logs, clean, admin } = scene;
      await expectTheBooksToBalance(app);
      const times = logs.map(({ created_at = 0 }) => created_at).sort((one, other) => one - other);
      expect(await clean(target)).toBe(times.filter((time) => time < target).length);
      expect(await timesLeft(app)).toEqual(times.filter((time) => time >= target && time < thirdStart));
      await expectTheBooksToBalance(app);
      expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
      if (target >= secondStart) {
        for (const table of ['logs', 'usage_hours', 'usage_days']) {
          // No dead rows are left.
          expect([table, await bytesOf(app, `${table}_${first.suffix}`)]).toEqual([table, 0]);
        }
      }
      expect(await clean(target)).toBe(0);
    },
  );

  test('[A26.2] keeps new logs that are written to these and later months during the cleanup', async () => {
    await using scene = await startWithMonths([
      [firstStart, secondStart, 900],
      [secondStart, thirdStart, 900],
    ]);
    const { app, users, logs, clean } = scene;
    const target = secondStart + 20 * secondsPerDay;
    const old = logs.filter(({ created_at = 0 }) => created_at < target).length;
    let isCleaning = true;
    const cleaning = clean(target).finally(() => {
      isCleaning = false;
    });
    let written = 0;
    const writer = async () => {
      do {
        const few = logsAt(users, [...timesIn(firstStart, secondStart, 2), thirdStart + 5]);
        await writeLogs(
          app.database,
          few.map((log) => ({ ...log, type: logType.failure, username: 'writer' })),
        );
        written += few.length;
        await turn();
      } while (isCleaning);
    };
    // Logs written before the cleanup starts are deleted too.
    await Promise.all(Array.from({ length: 4 }, writer));
    const deleted = await cleaning;
    const { count } = await app.database
      .selectFrom('logs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('created_at', '<=', thirdStart + 5)
      .executeTakeFirstOrThrow();
    expect(deleted).toBeGreaterThanOrEqual(old);
    expect(count).toBe(logs.length + written - deleted);
    await expectTheBooksToBalance(app);
  });

  test('truncates a month after its reader has finished, without blocking writers in the meantime', async () => {
    await using scene = await startWithMonths([[firstStart, secondStart, 50]]);
    const { app, users, clean } = scene;
    let cleaning: Promise<number> = Promise.resolve(0);
    await app.database.transaction().execute(async (reader) => {
      await sql`select from ${sql.table(`logs_${first.suffix}`)} limit 1`.execute(reader);
      cleaning = clean(secondStart) as Promise<number>;
      await expect.poll(() => isWaitedFor(app), { interval: 5 }).toBe(true);
      await writeLogs(
        app.database,
        logsAt(users, [Math.floor(Date.now() / 1000)]).map((log) => ({ ...log, type: 5 })),
      );
    });
    expect(await cleaning).toBe(52);
    await expectTheBooksToBalance(app);
  });
});

async function isWaitedFor({ database }: TestApp): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where not granted and mode = 'AccessExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`.execute(database);
  return rows.length > 0;
}
