import { type Log, logApi, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { secondsPerDay, secondsPerHour } from './hours.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const firstDay = sampleHour - (sampleHour % secondsPerDay);
const random = sampleNumbers(11);
const anyOf = (count: number) => Math.floor(random() * count);

/** Logs of a user, with the usernames for each day. */
const logsOf = (user_id: number, days: readonly (readonly string[])[]) =>
  days.flatMap((names, day) =>
    names.map((username) => ({
      ...{ user_id, username, type: 1 + anyOf(3), quota: anyOf(1000), prompt_tokens: anyOf(50) },
      created_at: firstDay + day * secondsPerDay + anyOf(24) * secondsPerHour + anyOf(3600),
    })),
  );

/** Expects a search by each name to find exactly its logs and their quota. */
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

test('finds logs under a former name of the user', async () => {
  const names = ['before', 'after'];
  await writeLogs(
    app.database,
    logsOf(3001, [['before', 'before'], ['before', 'after'], ['after', 'after'], [], names]),
  );
  await expectBothNames(3001, names);
  await expectBothNames(3001, names);
});

test('counts logs under the correct name when they are added to or deleted from a day that was already read', async () => {
  const names = ['one', 'other'];
  await writeLogs(app.database, logsOf(3002, [names, names, names, names]));
  await expectBothNames(3002, names);
  await writeLogs(app.database, logsOf(3002, [['other'], [], ['one', 'other', 'one']]));
  await expectBothNames(3002, names);
  await admin.call(logApi.clean, { query: { target_timestamp: firstDay + secondsPerDay * 1.5 } });
  await expectBothNames(3002, names);
});

test("[A61.2] counts a day's logs under the new username after they are deleted and replaced by the same number", async () => {
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
  expect(await totals()).toEqual([0, 2]);
});
