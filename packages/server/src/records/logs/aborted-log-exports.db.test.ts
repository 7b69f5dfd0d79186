import { logApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { startPartialRead } from '../../testing/relay/partial-reading.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

/** More rows than fit in all buffers between the client and the table. */
const rowCount = 6000;
const longContent = 'x'.repeat(3000);

/** Filled once and shared by the apps of all tests. */
let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  await using app = await startTestApp({ on: testDatabase });
  for (let start = 0; start < rowCount; start += 2000) {
    const rows = Array.from({ length: 2000 }, (_, index) => ({
      created_at: sampleHour - start - index,
      content: longContent,
      quota: 1,
    }));
    await writeLogs(app.database, rows);
  }
});
afterAll(() => testDatabase.drop());

const startFilled = (options: TestAppOptions = {}) => startTestApp({ on: testDatabase, ...options });

const countLogs = async ({ database }: TestApp) => (await database.selectFrom('logs').select('id').execute()).length;

const begin = (client: ApiClient, format = 'csv') => startPartialRead(client, `${logApi.export.path}?format=${format}`);

const rejectionOf = async (client: ApiClient) => {
  // Requests an export that matches no rows.
  const { status, body, headers } = await client.send(logApi.export, { query: { model_name: 'none' } });
  return { status, body, wait: headers.get('retry-after') };
};

/** Number of open connections of exports. */
async function connectionsOf({ database }: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'headgate export' and datname = current_database()`.execute(database);
  return rows[0]?.count ?? 0;
}

describe('log export with many rows', () => {
  test('omits rows written during the export, and is complete', async () => {
    await using app = await startFilled();
    const count = await countLogs(app);
    const reading = await begin(await app.as('admin'));
    await writeLogs(app.database, [{ created_at: sampleHour, content: 'later' }]);
    await writeLogs(app.database, [{ created_at: sampleHour - count + 5, content: 'later' }]);
    const { text, isWhole } = await reading.rest();
    expect(isWhole).toBe(true);
    expect(text).not.toContain('later');
    expect(text.split(longContent)).toHaveLength(rowCount + 1);
    expect(text.trimEnd().split('\n').at(-1)).toContain(`${count} of ${count} rows`);
  });

  // The format does not depend on the database.
  test.each([inject('database') === 'sqlite' ? 'csv' : 'jsonl'])(
    '[A32.2] ends with an error and without sums when rows are deleted during the export (%s)',
    async (format) => {
      await using app = await startFilled();
      const reading = await begin(await app.as('admin'), format);
      const deleted = await app.database
        .deleteFrom('logs')
        .where('id', 'in', (query) => query.selectFrom('logs').select('id').orderBy('created_at').limit(100))
        .returningAll()
        .execute();
      const { text, isWhole } = await reading.rest();
      // Restores the rows that the rollups count, for later tests.
      await app.database.insertInto('logs').values(deleted).execute();
      expect(isWhole).toBe(false);
      expect(text).not.toMatch(/^Total,|^Export range,|"complete":true/m);
    },
  );

  test('[A32.3] closes its query and connection when the client disconnects', async () => {
    await using app = await startFilled();
    const admin = await app.as('admin');
    const reading = await begin(admin);
    if (inject('database') === 'postgres') expect(await connectionsOf(app)).toBe(1);
    expect(await rejectionOf(admin)).toMatchObject({ status: 429 });
    reading.leave();
    if (inject('database') === 'postgres') {
      await expect.poll(() => connectionsOf(app), { interval: 100 }).toBe(0);
    }
    await expect.poll(async () => (await rejectionOf(admin)).status, { interval: 100 }).toBe(200);
  });
});

// Runs on SQLite only, because the behavior does not depend on the database.
if (inject('database') === 'sqlite')
  describe('aborted log exports', () => {
    test('[A32.2] an export is aborted when the app is closed', async () => {
      const app = await startFilled({ config: { shutdownGraceMs: 3_600_000 } });
      const reading = await begin(await app.as('admin'));
      await app.close();
      expect(await reading.rest()).toMatchObject({ isWhole: false, text: expect.not.stringContaining('Total,') });
    });

    test('[A32.3] an export is aborted when its client stops reading', async () => {
      await using app = await startFilled({ readerPatienceMs: 1000 });
      const admin = await app.as('admin');
      const reading = await begin(admin);
      // A free slot proves that the export ended.
      await expect.poll(async () => (await rejectionOf(admin)).status, { interval: 100 }).toBe(200);
      expect(await reading.rest()).toMatchObject({ isWhole: false });
    });

    test('[A32.3] limits exports to one per user and a few in total, without blocking other requests', async () => {
      await using app = await startFilled();
      const admins = await Promise.all(Array.from({ length: 4 }, () => app.as('admin')));
      const [first, second, third, fourth] = admins as [ApiClient, ApiClient, ApiClient, ApiClient];
      const reading = await begin(first);
      expect(await rejectionOf(first)).toEqual({
        status: 429,
        body: { success: false, message: 'You already have an export in progress. Try again when it has finished' },
        wait: '5',
      });
      const others = [await begin(second), await begin(third)];
      expect(await rejectionOf(fourth)).toMatchObject({
        status: 429,
        body: { message: 'Too many exports are in progress. Try again later' },
      });
      await writeLogs(app.database, [{ content: 'written meanwhile' }]);
      expect((await fourth.page(logApi.list, { query: { p: 0 } })).rows).not.toHaveLength(0);
      expect(await fourth.call(userApi.self)).toMatchObject({ status: 1 });
      for (const other of [reading, ...others]) other.leave();
    });
  });
