import { type Log, logApi, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { afterStatements } from '../../testing/database/between-statements.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';
import { LogCountRepository } from './log-count-repository.ts';
import { filterOf } from './log-filter.ts';
import { LogListRepository } from './log-list-repository.ts';
import { narrowed } from './log-request-repository.ts';
import { RememberedNames } from './remembered-names.ts';
import { secondsPerDay, secondsPerHour } from './roll-up.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const firstDay = sampleHour - (sampleHour % secondsPerDay);
const random = sampleNumbers(11);
const anyOf = (count: number) => Math.floor(random() * count);

/** Logs of somebody who had two names, on each of these days under these. */
const logsOf = (user_id: number, days: readonly (readonly string[])[]) =>
  days.flatMap((names, day) =>
    names.map((username) => ({
      ...{ user_id, username, type: 1 + anyOf(3), quota: anyOf(1000), prompt_tokens: anyOf(50) },
      created_at: firstDay + day * secondsPerDay + anyOf(24) * secondsPerHour + anyOf(3600),
    })),
  );

/** That both names find their own logs, and the quota of these. */
async function expectBothNames(user_id: number, names: readonly string[]): Promise<void> {
  const logs = await app.database.selectFrom('logs').selectAll().where('user_id', '=', user_id).execute();
  for (const username of names) {
    const own = logs.filter((log) => log.username === username);
    for (const span of [{}, { start_timestamp: firstDay, end_timestamp: firstDay + 4 * secondsPerDay - 1 }]) {
      const within = own.filter(({ created_at }) => !span.end_timestamp || created_at <= span.end_timestamp);
      const query = { username, ...span };
      const { rows, total } = await admin.page(logApi.list, { query: { ...query, size: 100 } });
      expect(total).toBe(within.length);
      expect(rows.map(({ id }: Log) => id).sort()).toEqual(within.map(({ id }) => id).sort());
      const consumed = within.filter(({ type }) => type === logType.consumption);
      expect(await admin.call(logApi.stat, { query })).toEqual({
        quota: consumed.reduce((sum, { quota }) => sum + quota, 0),
      });
    }
  }
}

test('logs under a name that their user no longer has, or had for a while, are found by it', async () => {
  const names = ['before', 'after'];
  await writeLogs(
    app.database,
    logsOf(3001, [['before', 'before'], ['before', 'after'], ['after', 'after'], [], names]),
  );
  await expectBothNames(3001, names);
  await expectBothNames(3001, names);
});

test('what comes to a day that was read before, or is deleted from it, is counted under its name', async () => {
  const names = ['one', 'other'];
  await writeLogs(app.database, logsOf(3002, [names, names, names, names]));
  await expectBothNames(3002, names);
  await writeLogs(app.database, logsOf(3002, [['other'], [], ['one', 'other', 'one']]));
  await expectBothNames(3002, names);
  await admin.call(logApi.clean, { query: { target_timestamp: firstDay + secondsPerDay * 1.5 } });
  await expectBothNames(3002, names);
});

test('the days of a user with two names are read from the finest sums once, and then only where something changed', async () => {
  const logs = logsOf(3003, [['early'], ['early', 'late'], ['late']]);
  // With logs around them the days are whole ones.
  const around = [-1, 3 * secondsPerDay].map((time) => ({ created_at: firstDay + time }));
  await writeLogs(app.database, [...around, ...logs.map((log) => ({ ...log, type: logType.consumption }))]);
  let reads = 0;
  const watched = afterStatements(app.database, 'SelectQueryNode', 'usage_hours', async () => {
    reads += 1;
  });
  const lists = new LogListRepository(watched);
  const span = { start_timestamp: firstDay, end_timestamp: firstDay + 3 * secondsPerDay - 1 };
  const ask = async (username: string) => {
    reads = 0;
    await lists.consumedQuota(filterOf({ type: 0, username, token_name: '', model_name: '', ...span }));
    return reads;
  };
  expect([await ask('early'), await ask('late'), await ask('early')]).toEqual([1, 0, 0]);
  await writeLogs(app.database, [{ user_id: 3003, username: 'late', created_at: firstDay + 7, quota: 5 }]);
  expect([await ask('early'), await ask('late')]).toEqual([1, 0]);
});

test('[A61.1] days that are forgotten while others are read are counted all the same', async () => {
  const names = ['small', 'smaller'];
  const around = [-1, 4 * secondsPerDay].map((time) => ({ created_at: firstDay + time }));
  const logs = logsOf(3004, [names, names, names, names]).map((log) => ({ ...log, type: logType.consumption }));
  await writeLogs(app.database, [...around, ...logs]);
  const remembered = new RememberedNames(names.length);
  const quotaOf = async (days: number) => {
    const span = { start_timestamp: firstDay, end_timestamp: firstDay + days * secondsPerDay - 1 };
    const asked = filterOf({ type: logType.consumption, username: 'small', token_name: '', model_name: '', ...span });
    return new LogCountRepository(app.database, await narrowed(app.database, asked), remembered).quota();
  };
  const expected = (days: number) =>
    logs
      .filter(({ username, created_at }) => username === 'small' && created_at < firstDay + days * secondsPerDay)
      .reduce((sum, { quota }) => sum + quota, 0);
  for (const days of [1, 4, 2, 3]) expect(await quotaOf(days)).toBe(expected(days));
});

test('[A61.2] a day that was emptied, and adds up to the same again under another name, is counted under that', async () => {
  const day = firstDay + 5 * secondsPerDay;
  const event = (username: string, hour: number) => ({
    ...{ user_id: 3005, username, type: logType.management, created_at: day + hour * secondsPerHour },
  });
  await writeLogs(app.database, [event('first', 1), event('first', 2), { created_at: day + secondsPerDay }]);
  await writeLogs(app.database, [{ ...event('second', 0), created_at: day - secondsPerDay }]);
  const totals = () =>
    Promise.all(
      ['first', 'second'].map(async (username) => (await admin.page(logApi.list, { query: { username } })).total),
    );
  expect(await totals()).toEqual([2, 1]);
  await admin.call(logApi.clean, { query: { target_timestamp: day + 3 * secondsPerHour } });
  await writeLogs(app.database, [event('second', 4), event('second', 5)]);
  // With something before it the day is a whole one again.
  await writeLogs(app.database, [{ created_at: day - 1 }]);
  expect(await totals()).toEqual([0, 2]);
});

test('[A61.4] whatever the time somebody asks about, the sums of days are read by one statement', async () => {
  const texts = new Set<string>();
  await using watched = await startTestApp({
    onStatement: ({ query }) => {
      if (/from "user_days/.test(query.sql)) texts.add(query.sql);
    },
  });
  const user = await watched.createUser();
  const log = { user_id: user.id, username: user.username, quota: 1 };
  const times = Array.from({ length: 12 }, (_, day) => firstDay + day * secondsPerDay);
  await writeLogs(
    watched.database,
    times.map((created_at) => ({ ...log, created_at })),
  );
  const own = await watched.signedIn(user.username, user.password);
  for (const [day, end] of times.entries()) {
    const query = { start_timestamp: firstDay, end_timestamp: end - 1 };
    if (day > 0) expect(await own.call(logApi.statOwn, { query })).toEqual({ quota: day });
  }
  expect(texts.size).toBe(1);
});

test('[A61.5] a log of long ago does not have days of users read from the finest sums', async () => {
  await using old = await startTestApp();
  const ofTwo = [3006, 3007].flatMap((user_id) =>
    [0, 1, 5].map((day) => ({ user_id, username: 'both', created_at: firstDay + day * secondsPerDay, quota: 1 })),
  );
  const last = { created_at: firstDay + 6 * secondsPerDay - 1 };
  await writeLogs(old.database, [{ created_at: 0 }, ...ofTwo, last]);
  let reads = 0;
  const watched = afterStatements(old.database, 'SelectQueryNode', 'usage_hours', async () => {
    reads += 1;
  });
  const asked = filterOf({
    ...{ type: logType.consumption, username: 'both', token_name: '', model_name: '', start_timestamp: 0 },
    end_timestamp: last.created_at,
  });
  // Behind the last page: where one begins, the hours around it are looked at.
  const { total } = await new LogListRepository(watched).page(asked, { p: 1, size: 10 });
  expect([total, reads]).toEqual([ofTwo.length, 0]);
});
