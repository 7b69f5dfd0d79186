import { logApi, role, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { type ExportSlot, ExportSlots } from '../exports/export-slots.ts';
import { beginReading } from '../testing/partial-reading.ts';
import { sampleHour, writeLogs } from '../testing/sample-logs.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../testing/test-app.ts';

/** More than all buffers between a reader and the table hold. */
const rowCount = 24_000;
const longContent = 'x'.repeat(2000);

async function startFilled(options: TestAppOptions = {}) {
  const app = await startTestApp(options);
  const rows = Array.from({ length: rowCount }, (_, index) => ({
    created_at: sampleHour - index,
    content: longContent,
    quota: 1,
  }));
  await writeLogs(app.database, rows);
  return app;
}

const begin = (client: ApiClient, format = 'csv') => beginReading(client, `${logApi.export.path}?format=${format}`);

const refusalOf = async (client: ApiClient) => {
  const { status, body, headers } = await client.send(logApi.export);
  return { status, body, wait: headers.get('retry-after') };
};

/** Connections that exports have open. */
async function connectionsOf({ database }: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'headgate export' and datname = current_database()`.execute(database);
  return rows[0]?.count ?? 0;
}

describe('an export of many rows', () => {
  test.each(['csv', 'jsonl'])('leaves out what is written meanwhile, and is whole (%s)', async (format) => {
    await using app = await startFilled();
    const reading = await begin(await app.as('admin'), format);
    await writeLogs(app.database, [{ created_at: sampleHour, content: 'later' }]);
    await writeLogs(app.database, [{ created_at: sampleHour - rowCount + 5, content: 'later' }]);
    const { text, isWhole } = await reading.rest();
    expect(isWhole).toBe(true);
    expect(text).not.toContain('later');
    expect(text.split(longContent)).toHaveLength(rowCount + 1);
    expect(text.trimEnd().split('\n').at(-1)).toContain(
      format === 'csv' ? `${rowCount} of ${rowCount} rows` : `{"complete":true,"rows":${rowCount}`,
    );
  });

  test.each(['csv', 'jsonl'])(
    '[A32.2] ends in no sum and in an error when rows are deleted meanwhile (%s)',
    async (format) => {
      await using app = await startFilled();
      const reading = await begin(await app.as('admin'), format);
      await app.database
        .deleteFrom('logs')
        .where('created_at', '<=', sampleHour - rowCount + 100)
        .execute();
      const { text, isWhole } = await reading.rest();
      expect(isWhole).toBe(false);
      expect(text).not.toMatch(/^Sum,|^Covered,|"complete":true/m);
    },
  );

  test('[A32.2] breaks off at once when the app is closed', async () => {
    const app = await startFilled({ config: { shutdownGraceMs: 3_600_000 } });
    const reading = await begin(await app.as('admin'));
    await app.close();
    expect(await reading.rest()).toMatchObject({ isWhole: false, text: expect.not.stringContaining('Sum,') });
  });

  test('[A32.3] breaks off when nobody reads it', async () => {
    await using app = await startFilled({ readerPatienceMs: 1000 });
    const admin = await app.as('admin');
    const reading = await begin(admin);
    // A place that is free again shows that it ended.
    await expect.poll(async () => (await refusalOf(admin)).status, { interval: 100 }).toBe(200);
    expect(await reading.rest()).toMatchObject({ isWhole: false });
  });

  test('[A32.3] ends with its query and its connection when the reader leaves', async () => {
    await using app = await startFilled();
    const admin = await app.as('admin');
    const reading = await begin(admin);
    if (inject('database') === 'postgres') expect(await connectionsOf(app)).toBe(1);
    expect(await refusalOf(admin)).toMatchObject({ status: 429 });
    reading.leave();
    if (inject('database') === 'postgres') {
      await expect.poll(() => connectionsOf(app), { interval: 100 }).toBe(0);
    }
    await expect.poll(async () => (await refusalOf(admin)).status, { interval: 100 }).toBe(200);
  });
});

test('[A32.3] a user has one export at a time, and all users together a few; everything else goes on', async () => {
  await using app = await startFilled();
  const admins = await Promise.all(Array.from({ length: 4 }, () => app.as('admin')));
  const [first, second, third, fourth] = admins as [ApiClient, ApiClient, ApiClient, ApiClient];
  const reading = await begin(first);
  expect(await refusalOf(first)).toEqual({
    status: 429,
    body: { success: false, message: 'An export of yours is being written. Try again when it has ended' },
    wait: '5',
  });
  const others = [await begin(second), await begin(third)];
  expect(await refusalOf(fourth)).toMatchObject({
    status: 429,
    body: { message: 'Too many exports are being written. Try again in a moment' },
  });
  await writeLogs(app.database, [{ content: 'written meanwhile' }]);
  expect((await fourth.page(logApi.list, { query: { p: 0 } })).total).toBe(rowCount + 1);
  expect(await fourth.call(userApi.self)).toMatchObject({ status: 1 });
  for (const other of [reading, ...others]) other.leave();
});

test('[A32.3] users who read slowly leave a place for admins', async () => {
  const slots = new ExportSlots();
  const [user, admin] = [{ role: role.common }, { role: role.admin }];
  await slots.take({ ...user, id: 1 });
  const second = await slots.take({ ...user, id: 2 });
  await expect(slots.take({ ...user, id: 3 })).rejects.toThrow('Too many exports');
  const kept = await slots.take({ ...admin, id: 4 });
  await expect(slots.take({ ...admin, id: 5 })).rejects.toThrow('Too many exports');
  kept.release();
  await expect(slots.take({ ...user, id: 3 })).rejects.toThrow('Too many exports');
  second.release();
  await slots.take({ ...user, id: 3 });
});

test('whoever has read one file may have the next at once, though the ones before are still being cleared away', async () => {
  const slots = new ExportSlots();
  const admin = { role: role.admin, id: 1 };
  const read: ExportSlot[] = [];
  for (let count = 0; count < 3; count += 1) {
    const slot = await slots.take(admin);
    slot.leave();
    read.push(slot);
  }
  const both = Promise.allSettled([slots.take(admin), slots.take(admin)]);
  read[0]?.release();
  // One of two who waited: the other has an export of his own now.
  expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  read[1]?.release();
  await slots.take({ ...admin, id: 2 });
});

test('nobody waits for a place in a gateway that ends', async () => {
  const slots = new ExportSlots();
  for (const id of [1, 2, 3]) (await slots.take({ role: role.admin, id })).leave();
  const waiting = slots.take({ role: role.admin, id: 4 });
  slots.close();
  await expect(waiting).rejects.toThrow('Too many exports');
});

test('HEAD tells the length of an export and writes none', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [{}, {}]);
  const admin = await app.as('admin');
  const { status, headers, text } = await admin.request('HEAD', logApi.export.path);
  expect([status, headers.get('x-total-count'), text]).toEqual([200, '2', '']);
  expect((await admin.send(logApi.export)).status).toBe(200);
});
