import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { ListeningConnection } from './listening-connection.ts';

const waiting = { interval: 20 };

let url: string;
let database: Database;

const notify = (payload: string) => sql`select pg_notify('test_channel', ${payload})`.execute(database);
const listeners = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'test_channel'`.execute(database);
  return rows[0]?.count;
};

async function listenTo(address: string, pauses: ConstructorParameters<typeof ListeningConnection>[3] = {}) {
  const received: string[] = [];
  const events = { receive: (payload: string) => void received.push(payload), restored: vi.fn(), failed: vi.fn() };
  const connection = new ListeningConnection(address, 'test_channel', events, { reconnectAfterMs: 50, ...pauses });
  onTestFinished(() => connection.close());
  await connection.open();
  return { connection, received, ...events };
}

describe('a listening connection', () => {
  beforeEach(async () => {
    const testDatabase = await createTestDatabase();
    url = testDatabase.location.databaseUrl ?? '';
    database = await openDatabase(testDatabase.location);
    return async () => {
      await database.destroy();
      await testDatabase.drop();
    };
  });

  test('receives notifications unchanged', async () => {
    const { received } = await listenTo(url);
    await notify('one two');
    await notify('');
    await notify('三');
    await expect.poll(() => received, waiting).toEqual(['one two', '', '三']);
  });

  test('reconnects when the server closes it, and reports the interruption', async () => {
    const { received, restored } = await listenTo(url);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'test_channel'`.execute(database);
    await expect.poll(() => restored, waiting).toHaveBeenCalledTimes(1);
    await notify('back');
    await expect.poll(() => received, waiting).toEqual(['back']);
    expect(await listeners()).toBe(1);
  });

  test('retries one attempt at a time while the server is unreachable', async () => {
    await using proxy = await pausingProxy(url);
    const { received, restored, failed } = await listenTo(proxy.url);
    expect(proxy.attempts).toBe(1);
    proxy.cut();
    await expect.poll(() => proxy.attempts, waiting).toBeGreaterThanOrEqual(6);
    // Each attempt fails once; if each caused two retries, there would be many more by now.
    expect(proxy.attempts - 1).toBeLessThanOrEqual(failed.mock.calls.length + 1);
    expect(restored).not.toHaveBeenCalled();
    proxy.open();
    await expect.poll(() => restored, waiting).toHaveBeenCalledTimes(1);
    const attempts = proxy.attempts;
    await notify('back');
    await expect.poll(() => received, waiting).toEqual(['back']);
    expect(proxy.attempts).toBe(attempts);
    expect(await listeners()).toBe(1);
  });

  test('detects that the connection was silently dropped', async () => {
    await using proxy = await pausingProxy(url);
    const { received, restored } = await listenTo(proxy.url, { requestEveryMs: 50, responseTimeoutMs: 2000 });
    proxy.freeze();
    await notify('missed');
    await expect.poll(() => restored, waiting).toHaveBeenCalled();
    await notify('back');
    await expect.poll(() => received, waiting).toEqual(['back']);
  });

  test('keeps the connection open while the server responds to keep-alive checks', async () => {
    const { received, restored, failed } = await listenTo(url, { requestEveryMs: 1 });
    for (const word of ['a', 'b', 'c']) {
      await notify(word);
      await expect.poll(() => received.at(-1), waiting).toBe(word);
    }
    expect(restored).not.toHaveBeenCalled();
    expect(failed).not.toHaveBeenCalled();
  });

  test('closes the connection permanently', async () => {
    const { connection, restored } = await listenTo(url);
    expect(await listeners()).toBe(1);
    await connection.close();
    await expect.poll(() => listeners(), waiting).toBe(0);
    expect(restored).not.toHaveBeenCalled();
  });

  test('does not reconnect when it is closed while retrying', async () => {
    await using proxy = await pausingProxy(url);
    const { connection } = await listenTo(proxy.url, { reconnectAfterMs: 1 });
    proxy.cut();
    await expect.poll(() => proxy.attempts, waiting).toBeGreaterThanOrEqual(3);
    proxy.open();
    await connection.close();
    await expect.poll(() => listeners(), waiting).toBe(0);
    const attempts = proxy.attempts;
    for (let round = 0; round < 20; round += 1) await notify('nobody hears');
    expect(proxy.attempts).toBe(attempts);
  });

  test('fails to open when the server is unreachable, without retrying', async () => {
    await using proxy = await pausingProxy(url);
    proxy.cut();
    const events = { receive: vi.fn(), restored: vi.fn(), failed: vi.fn() };
    const connection = new ListeningConnection(proxy.url, 'test_channel', events, { reconnectAfterMs: 1 });
    await expect(connection.open()).rejects.toThrow();
    expect(proxy.attempts).toBe(1);
    await connection.close();
    expect(events.restored).not.toHaveBeenCalled();
  });
});
