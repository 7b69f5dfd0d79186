import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { databaseFile } from '../storage/database-file.ts';
import { type Database, openDatabase } from './database.ts';
import {
  fallbackCheckpointPages,
  openServerDatabase,
  type WalCheckpointOptions,
  WalCheckpoints,
} from './server-database.ts';

const maxPages = 200;

async function openLog(options: Partial<WalCheckpointOptions> = {}) {
  await using starting = new AsyncDisposableStack();
  const { location } = starting.use(await createTestDatabase());
  const database = await openDatabase(location);
  starting.defer(() => database.destroy());
  await sql`pragma wal_autocheckpoint = ${sql.lit(fallbackCheckpointPages)}`.execute(database);
  await sql`create table filling (bytes blob)`.execute(database);
  const path = databaseFile(location.dataDir);
  const errors: string[] = [];
  const attempts = { count: 0 };
  const firstAttempt = Promise.withResolvers<void>();
  const checkpoints = new WalCheckpoints({
    path,
    hold: (act) =>
      database.connection().execute(async () => {
        attempts.count += 1;
        firstAttempt.resolve();
        await act();
      }),
    maxPages,
    onError: (error) => errors.push(error),
    ...options,
  });
  starting.defer(() => checkpoints.close());
  const attempted = firstAttempt.promise;
  return { database, checkpoints, path, errors, attempts, attempted, stack: starting.move() };
}

const hangsDuringCheckpoint = `import { parentPort } from 'node:worker_threads';
  parentPort.on('message', () => undefined);
  parentPort.postMessage('ready');`;

const threadOf = (program: string): URL => new URL(`data:text/javascript,${encodeURIComponent(program)}`);

async function fill(database: Database): Promise<void> {
  for (let row = 0; row < maxPages; row += 1) await sql`insert into filling values (zeroblob(3000))`.execute(database);
}

if (inject('database') === 'sqlite') {
  test('[A70.4] checkpoints run in a thread, and the log is reused from its start', async () => {
    const { database, checkpoints, stack } = await openLog();
    await using _all = stack;
    for (let round = 0; round < 3; round += 1) {
      await fill(database);
      expect(checkpoints.pages).toBeGreaterThan(maxPages);
      await checkpoints.look();
      expect(checkpoints.pages).toBe(1);
    }
    const { rows } = await sql<{ count: number }>`select count(*) as count from filling`.execute(database);
    expect(rows[0]?.count).toBe(3 * maxPages);
  });

  test('[A70.4] statements wait for a checkpoint without blocking the process', async () => {
    const { database, checkpoints, stack } = await openLog();
    await using _all = stack;
    await fill(database);
    const turns = { count: 0 };
    const counting = setInterval(() => {
      turns.count += 1;
    }, 1);
    const looking = checkpoints.look();
    await Promise.all([looking, sql`insert into filling values (zeroblob(10))`.execute(database)]);
    clearInterval(counting);
    expect(turns.count).toBeGreaterThan(0);
  });

  test('[A70.4] statements wait until a checkpoint has ended', async () => {
    const events: string[] = [];
    const { database, checkpoints, attempted, stack } = await openLog({
      thread: threadOf(hangsDuringCheckpoint),
      closeWithinMs: 200,
      onError: (error) => events.push(error),
    });
    await using _all = stack;
    await fill(database);
    const looking = checkpoints.look();
    await attempted;
    const inserting = sql`insert into filling values (zeroblob(10))`.execute(database);
    const inserted = inserting.then(() => events.push('inserted'));
    await checkpoints.close();
    await Promise.all([looking, inserted]);
    expect(events).toEqual(['the thread did not end in time', 'inserted']);
  });

  test('[A70.4] a checkpoint delayed by a long read is retried when the log has grown', async () => {
    const { database, checkpoints, path, attempts, stack } = await openLog();
    await using _all = stack;
    await fill(database);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin; select count(*) from filling');
    await fill(database);
    await checkpoints.look();
    expect(checkpoints.pages).toBeGreaterThan(2 * maxPages);
    await checkpoints.look();
    expect(attempts.count).toBe(1);
    reader.close();
    for (let round = 0; round < 3; round += 1) await fill(database);
    await checkpoints.look();
    expect(checkpoints.pages).toBe(1);
  });

  test.each([
    ['moved away', () => undefined],
    ['replaced', (path: string) => writeFileSync(path, '')],
  ])('[A70.8] the log is kept when the database file was %s while the server uses it', async (_, replace) => {
    const { database, checkpoints, path, stack } = await openLog();
    await using _all = stack;
    await fill(database);
    renameSync(path, `${path}.away`);
    replace(path);
    await checkpoints.look();
    expect(existsSync(`${path}-wal`)).toBe(true);
    renameSync(`${path}.away`, path);
    await checkpoints.look();
    expect(checkpoints.pages).toBe(1);
    const { rows } = await sql<{ count: number }>`select count(*) as count from filling`.execute(database);
    expect(rows[0]?.count).toBe(maxPages);
  });

  test('[A70.8] an unreadable log does not end the process', async () => {
    const { database, checkpoints, path, stack } = await openLog();
    await using _all = stack;
    await fill(database);
    renameSync(`${path}-wal`, `${path}-wal.away`);
    await expect(checkpoints.look()).resolves.toBeUndefined();
    renameSync(`${path}-wal.away`, `${path}-wal`);
  });

  test('[A70.11] each distinct error of the thread is reported once, and again after a successful checkpoint', async () => {
    const { database, checkpoints, path, errors, stack } = await openLog();
    await using _all = stack;
    const writer = new DatabaseSync(path);
    const lookWhileLocked = async () => {
      await fill(database);
      writer.exec('begin immediate');
      await checkpoints.look();
      writer.exec('rollback');
    };
    await lookWhileLocked();
    await fill(database);
    await lookWhileLocked();
    expect(errors).toEqual(['database is locked']);
    for (let round = 0; round < 3; round += 1) await fill(database);
    await checkpoints.look();
    expect(checkpoints.pages).toBe(1);
    await lookWhileLocked();
    expect(errors).toEqual(['database is locked', 'database is locked']);
    writer.close();
  });

  test.each([
    ['fails', 'throw new Error("out of memory")', 'out of memory'],
    ['ends without a result', '', 'the thread ended without a result'],
  ])('[A70.11] a thread that %s is reported', async (_, program, message) => {
    const { database, checkpoints, errors, stack } = await openLog({ thread: threadOf(program) });
    await using _all = stack;
    await fill(database);
    await checkpoints.look();
    expect(errors).toEqual([message]);
  });

  test.each([
    ['before it is ready', 'setInterval(() => undefined, 1000)'],
    ['during a checkpoint', hangsDuringCheckpoint],
  ])('[A70.11] closing succeeds even if the thread hangs %s', async (_, program) => {
    const { database, checkpoints, errors, stack } = await openLog({ thread: threadOf(program), closeWithinMs: 200 });
    await fill(database);
    const looking = checkpoints.look();
    await stack.disposeAsync();
    await looking;
    expect(errors).toEqual(['the thread did not end in time']);
  });

  test("[A70.4] the server's own connection leaves checkpoints to the thread", async () => {
    await using stored = await createTestDatabase();
    const { database, close } = await openServerDatabase(stored.location);
    const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(database);
    expect(rows).toEqual([{ wal_autocheckpoint: fallbackCheckpointPages }]);
    await close();
  });

  test('[A70.4] a started server runs checkpoints', async () => {
    await using stored = await createTestDatabase();
    const { database, close } = await openServerDatabase(stored.location);
    await sql`create table filling (bytes blob)`.execute(database);
    await sql`insert into filling values (zeroblob(20000000))`.execute(database);
    const reader = new DatabaseSync(databaseFile(stored.location.dataDir), { readOnly: true });
    await expect.poll(() => reader.prepare('pragma wal_checkpoint(noop)').get()?.['log']).toBe(1);
    reader.close();
    await close();
  });
}
