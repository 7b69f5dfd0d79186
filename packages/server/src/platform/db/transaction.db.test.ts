import { logEvents, logType } from '@headgate/contract';
import { expect, inject, test } from 'vitest';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { LogService } from '../../records/logs/log-service.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createLogger } from '../logging/log-lines.ts';
import type { OptionService } from '../options/option-service.ts';
import { localChangeFeed } from './change-feed.ts';
import { createTransactions } from './transaction.ts';

const app = await useTestApp();
const inTransaction = createTransactions(app.database, localChangeFeed(createLogger('silent')));
const logs = new LogService(new LogRepository(app.database), {} as OptionService);

const keysOf = async () => (await app.database.selectFrom('options').select('key').execute()).map(({ key }) => key);
const option = (key: string) => ({ key, value: '' });

test('beforeCommit work runs last, in order', async () => {
  const done: string[] = [];
  const given = await inTransaction(async (transaction) => {
    transaction.beforeCommit(async () => void done.push('first'));
    transaction.beforeCommit(async () => {
      await transaction.database.insertInto('options').values(option('last work')).execute();
      done.push('second');
    });
    done.push('work');
    return 'result';
  });
  expect(given).toBe('result');
  expect(done).toEqual(['work', 'first', 'second']);
  expect(await keysOf()).toContain('last work');
});

test('a failing beforeCommit rolls everything back', async () => {
  const doomed = inTransaction(async (transaction) => {
    await transaction.database.insertInto('options').values(option('undone')).execute();
    transaction.beforeCommit(() => Promise.reject(new Error('no')));
  });
  await expect(doomed).rejects.toThrow('no');
  expect(await keysOf()).not.toContain('undone');
});

test('beforeCommit work does not run if earlier work failed', async () => {
  let isDone = false;
  const doomed = inTransaction(async (transaction) => {
    transaction.beforeCommit(async () => {
      isDone = true;
    });
    throw new Error('no');
  });
  await expect(doomed).rejects.toThrow('no');
  expect(isDone).toBe(false);
});

const record = (type: 1 | 3, user: { id: number; username: string }) =>
  ({ type, event: 'user.registered', user, values: { user: user.username } }) as const;

test('all log records of a transaction are written with its commit', async () => {
  const user = { id: 41, username: 'recorder' };
  await inTransaction(async (transaction) => {
    await logs.record(transaction, record(logType.topUp, user));
    await logs.record(transaction, record(logType.management, user), record(logType.topUp, user));
  });
  const rows = await app.database.selectFrom('logs').selectAll().where('user_id', '=', 41).orderBy('id').execute();
  expect(rows.map(({ type }) => type)).toEqual([1, 3, 1]);
  expect(rows[0]?.content).toBe(logEvents['user.registered'].replace('{user}', 'recorder'));
});

// PostgreSQL only: SQLite transactions are serial and cannot wait for each other's rows.
if (inject('database') === 'postgres')
  test('records added in any order between other changes do not deadlock', async () => {
    const [one, other] = [await app.createUser(), await app.createUser()];
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const meeting = () => {
      begun += 1;
      if (begun === 2) both.resolve();
      return both.promise;
    };
    const change = (first: typeof one, types: readonly (1 | 3)[], second?: typeof one) =>
      inTransaction(async (transaction) => {
        await logs.record(transaction, record(types[0] ?? 1, first));
        await transaction.database.updateTable('users').set({ quota: 1 }).where('id', '=', first.id).execute();
        await meeting();
        await logs.record(transaction, record(types[1] ?? 1, first));
        if (second)
          await transaction.database.updateTable('users').set({ quota: 2 }).where('id', '=', second.id).execute();
      });
    await Promise.all([change(one, [1, 3], other), change(other, [3, 1])]);
    expect(await currentRollups(app.database)).toEqual(await rollupsOfLogs(app.database));
  });
