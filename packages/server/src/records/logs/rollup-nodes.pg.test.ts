import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { newLogLock } from '../../platform/db/locks.ts';
import { afterStatements, runOnce } from '../../testing/database/between-statements.ts';
import { rollupsOfLogs, storedRollups } from '../../testing/records/rollups.ts';
import { sampleHour, sampleLog, writeLogs } from '../../testing/records/sample-logs.ts';
import { createLogPerUser } from '../../testing/records/shared-token-names.ts';
import {
  expectTokenNameResults,
  timeAfterSamples,
  tokenNameResultsFromLogs,
} from '../../testing/records/token-name-results.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { UsageRepository } from '../usage/usage-repository.ts';
import { parseUsageCriteria } from '../usage/usage-request.ts';
import { UsageService } from '../usage/usage-service.ts';
import { LogListRepository } from './log-list-repository.ts';
import { LogRepository } from './log-repository.ts';
import { RollupRepository, rollUpAll } from './rollup-repository.ts';
import { RollupService } from './rollup-service.ts';

const fails = (error: unknown) => {
  throw error;
};

const serviceOf = (database: Database) =>
  new RollupService({ rollups: new RollupRepository(database), onFailure: fails });

const insert = (database: Database) => new LogRepository(database).insert([sampleLog({ quota: 1 })]);

const expectExact = async (database: Database) =>
  expect(await storedRollups(database)).toEqual(await rollupsOfLogs(database));

describe('[A58.4] logs that commit out of id order', () => {
  test('rolls up all logs by waiting for an uncommitted insert', async () => {
    await using app = await startTestApp();
    const { database } = app;
    const rollups = new RollupRepository(database);
    await database.transaction().execute(async (slow) => {
      await insert(slow);
      // A higher id, committed first.
      await insert(database);
      expect(await rollups.lastCompleteId()).toBeUndefined();
      expect(await serviceOf(database).rollUp()).toBe(false);
      expect((await storedRollups(database)).usage_hours).toEqual([]);
    });
    await rollUpAll(database);
    expect((await storedRollups(database)).usage_hours).toMatchObject([{ rows: 2 }]);
    await expectExact(database);
  });

  test('skips uncommitted logs of a killed node', async () => {
    await using app = await startTestApp();
    const { database } = app;
    const killed = database.transaction().execute(async (slow) => {
      await insert(slow);
      await insert(database);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(slow);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database);
      await insert(slow);
    });
    await expect(killed).rejects.toThrow();
    await rollUpAll(database);
    expect((await storedRollups(database)).usage_hours).toMatchObject([{ rows: 1 }]);
    await expectExact(database);
  });
});

test('acquires the lock for new logs before an insert is assigned its first id', async () => {
  await using app = await startTestApp();
  const { database } = app;
  const lastId = async () => {
    const { rows } = await sql<{ id: number }>`select last_value as id from logs_id_seq`.execute(database);
    return rows[0]?.id;
  };
  await insert(database);
  const before = await lastId();
  let inserting: Promise<void> = Promise.resolve();
  await database.transaction().execute(async (holder) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(newLogLock)})`.execute(holder);
    inserting = insert(database);
    const waiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted and locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`.execute(database);
      return rows.length;
    };
    await expect.poll(waiting).toBe(1);
    expect(await lastId()).toBe(before);
  });
  await inserting;
  expect(await lastId()).toBe((before ?? 0) + 1);
});

test('counts each log once while several nodes write, roll up and clean up', async () => {
  await using app = await startTestApp();
  await using other = await startTestApp({ beside: app });
  let isOver = false;
  const rolling = [app, other, app].map(async ({ database }) => {
    while (!isOver) await serviceOf(database).rollUp();
  });
  await Promise.all(
    [app, other, app, other].map(async ({ database }) => {
      for (let turn = 0; turn < 15; turn += 1) await writeLogs(database, createLogPerUser('default').slice(0, 7));
    }),
  );
  await rollUpAll(app.database);
  isOver = true;
  await Promise.all(rolling);
  await rollUpAll(app.database);
  expect(await tokenNameResultsFromLogs(app, 'default')).toMatchObject({ logs: 420 });
  await expectExact(app.database);
  await expectTokenNameResults(app, 'default');
});

test('[A58.4] reads a list in one snapshot while logs are written and rolled up', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [...createLogPerUser('default'), ...createLogPerUser('default', sampleHour + 3600)]);
  await rollUpAll(app.database);
  const before = await tokenNameResultsFromLogs(app, 'default');
  const write = runOnce(async () => {
    await writeLogs(app.database, createLogPerUser('default', sampleHour + 100));
    await rollUpAll(app.database);
  });
  const logs = new LogListRepository(afterStatements(app.database, 'SelectQueryNode', 'log_names_now', write));
  const within = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const { total } = await logs.page({ exact: { token_name: 'default' }, within }, { p: 0, size: 10 });
  expect(total).toBe(before.logs);
  expect(await tokenNameResultsFromLogs(app, 'default')).toMatchObject({ logs: before.logs + 60 });
  await expectTokenNameResults(app, 'default');
});

test('[A58.4] reads usage in one snapshot, even if more users get a token name and are rolled up in the meantime', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, createLogPerUser('rare').slice(0, 50));
  const write = runOnce(async () => {
    await writeLogs(app.database, createLogPerUser('rare').slice(49));
    await rollUpAll(app.database);
  });
  const database = afterStatements(app.database, 'SelectQueryNode', 'log_names_now', write);
  const usage = new UsageService(new UsageRepository(database));
  const time = { start_timestamp: sampleHour, end_timestamp: timeAfterSamples, zone: 'UTC', top: 5 };
  const others = { columns: '', measure: 'quota', model_name: '', group: '' } as const;
  const send = () => usage.read(parseUsageCriteria({ ...time, ...others, rows: 'model', token_name: 'rare' }));
  expect((await send()).total.requests).toBe(50);
  expect((await send()).total.requests).toBe(61);
});
