import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { type Change, type ChangeFeed, localChangeFeed, postgresChangeFeed, ReceivedChanges } from './change-feed.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createTransactions } from './transaction.ts';

test('[A36.3] drops incomplete changes before they fill the memory', async () => {
  const confirm = vi.fn();
  const received = new ReceivedChanges(async () => true, confirm);
  for (let number = 0; number < 5000; number += 1) received.receive(['somebody', 'options', String(number)]);
  expect(received.begun).toBe(1000);
  received.receive(['somebody', 'options', '4999', 'last']);
  await expect.poll(() => confirm).toHaveBeenCalledExactlyOnceWith('somebody', '4999');
  expect(received.begun).toBe(999);
});

test('confirms a change only when all of its notifications were applied', async () => {
  const confirm = vi.fn();
  const received = new ReceivedChanges(async (subject) => subject !== 'user:2', confirm);
  for (const subject of ['user:1', 'user:2']) received.receive(['a', subject, '1']);
  received.receive(['a', 'user:3', '1', 'last']);
  for (const subject of ['user:1', 'user:4']) received.receive(['a', subject, '2']);
  received.receive(['a', 'user:3', '2', 'last']);
  await expect.poll(() => confirm).toHaveBeenCalledExactlyOnceWith('a', '2');
});

const quiet = { warn: () => undefined, error: () => undefined };

/** A database with transactions and a feed, and the changes its listeners received. */
async function openFeed() {
  const testDatabase = await createTestDatabase();
  const { location } = testDatabase;
  const database = await openDatabase(location);
  await migrate(database);
  const connect = async () => {
    const feed =
      location.databaseUrl === undefined
        ? localChangeFeed(quiet)
        : await postgresChangeFeed(location.databaseUrl, quiet);
    const received: Change[] = [];
    feed.listen((change) => void received.push(change));
    return { feed, received };
  };
  const node = await connect();
  onTestFinished(async () => {
    await node.feed.close();
    await database.destroy();
    await testDatabase.drop();
  });
  return { ...node, database, connect, inTransaction: createTransactions(database, node.feed) };
}

const store = (key: string) => ({ key, value: 'x' });

describe('a transaction', () => {
  test('a transaction announces each change once after the commit', async () => {
    const { feed, received, database, inTransaction } = await openFeed();
    const seenByListener: number[] = [];
    feed.listen(async () => {
      seenByListener.push((await database.selectFrom('options').selectAll().execute()).length);
    });
    const given = await inTransaction(async (transaction) => {
      transaction.changed('options');
      await transaction.database.insertInto('options').values(store('a')).execute();
      transaction.changed('channel:7');
      transaction.changed('options');
      expect(received).toEqual([]);
      return 'given';
    });
    expect(given).toBe('given');
    expect(received).toEqual(['options', 'channel:7']);
    expect(seenByListener).toEqual([1, 1]);
  });

  test('a transaction without changes announces nothing', async () => {
    const { received, inTransaction } = await openFeed();
    await inTransaction(async () => undefined);
    expect(received).toEqual([]);
  });

  test('a rolled-back transaction announces nothing', async () => {
    const { received, inTransaction, connect } = await openFeed();
    await using other = await connected(connect);
    const failing = inTransaction(async (transaction) => {
      await transaction.database.insertInto('options').values(store('a')).execute();
      transaction.changed('options');
      throw new Error('not after all');
    });
    await expect(failing).rejects.toThrow('not after all');
    expect(received).toEqual([]);
    // Notifications keep their order, so one from the rolled-back transaction would arrive first.
    await inTransaction(async (transaction) => transaction.changed('channels'));
    expect(received).toEqual(['channels']);
    if (inject('database') === 'postgres') await expect.poll(() => other.received).not.toEqual([]);
    expect(other.received).toEqual(inject('database') === 'postgres' ? ['channels'] : []);
  });
});

test('start() applies, once, changes that arrived before a listener was added', async () => {
  const { feed, received, inTransaction } = await openFeed();
  await inTransaction(async (transaction) => transaction.changed('channels'));
  const late: Change[] = [];
  feed.listen((change) => void late.push(change));
  await feed.start();
  expect(late).toEqual(['channels']);
  await inTransaction(async (transaction) => transaction.changed('routing'));
  await feed.start();
  expect(late).toEqual(['channels', 'routing']);
  expect(received).toEqual(['channels', 'channels', 'routing']);
});

async function connected(connect: () => Promise<{ feed: ChangeFeed; received: Change[] }>) {
  const node = await connect();
  return { ...node, [Symbol.asyncDispose]: () => node.feed.close() };
}

describe('a failing listener', () => {
  test('a failing listener does not affect other listeners and is retried until it succeeds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const error = vi.fn();
    const feed = localChangeFeed({ ...quiet, error });
    const received: string[] = [];
    let failures = 2;
    feed.listen((change) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('busy');
      }
      received.push(`first ${change}`);
    });
    feed.listen(async (change) => void received.push(`second ${change}`));
    await feed.applyLocally(['options']);
    expect(received).toEqual(['second options']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(received).toEqual(['second options']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(received).toEqual(['second options', 'first options']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received).toHaveLength(2);
    expect(error).toHaveBeenCalledTimes(2);
  });

  test('a failing listener is not retried once the feed is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const feed = localChangeFeed(quiet);
    const listener = vi.fn().mockRejectedValue(new Error('gone'));
    feed.listen(listener);
    await feed.applyLocally(['options']);
    await feed.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

if (inject('database') === 'postgres')
  describe('change feed between nodes', () => {
    test('a change is delivered to all other nodes, and to this node only once', async () => {
      const { received, inTransaction, connect } = await openFeed();
      await using second = await connected(connect);
      await using third = await connected(connect);
      const subjects = Array.from({ length: 500 }, (_, index) => `token:${index}` as const);
      await inTransaction(async (transaction) => {
        for (const subject of subjects) transaction.changed(subject);
      });
      await inTransaction(async (transaction) => transaction.changed('user:1'));
      for (const other of [second, third]) {
        await expect.poll(() => other.received.at(-1)).toBe('user:1');
        expect(other.received).toEqual([...subjects, 'user:1']);
      }
      expect(received).toEqual([...subjects, 'user:1']);
    });
  });
