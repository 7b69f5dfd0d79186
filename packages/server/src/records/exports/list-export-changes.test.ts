import { redemptionApi, redemptionExportApi, totalHeader, userExportApi } from '@headgate/contract';
import { beforeAll, expect, test } from 'vitest';
import { startPartialRead } from '../../testing/relay/partial-reading.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** Long names, so that the rows exceed all buffers between the reader and the table. */
const rowCount = 6000;
const longName = 'x'.repeat(3000);

const app = await useTestApp();
const admin = await app.as('admin');

beforeAll(async () => {
  await admin.call(redemptionApi.create, { body: { name: 'first', quota: 1 } });
  const { id: _id, ...code } = await app.database.selectFrom('redemptions').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: rowCount - 1 }, (_, index) => ({
    ...code,
    key_hash: `copy ${index}`,
    name: longName,
  }));
  for (let start = 0; start < copies.length; start += 1000) {
    await app.database
      .insertInto('redemptions')
      .values(copies.slice(start, start + 1000))
      .execute();
  }
});

test('rows that are added or stop matching during a list export do not change the file', async () => {
  const stored = await app.database.selectFrom('redemptions').select('id').orderBy('id', 'desc').execute();
  const reading = await startPartialRead(admin, `${redemptionExportApi.all.path}?format=jsonl&status=1`);
  expect(reading.response.headers.get(totalHeader)).toBe(String(stored.length));
  await admin.call(redemptionApi.create, { body: { name: 'later', quota: 1, count: 3 } });
  await app.database.updateTable('redemptions').set({ status: 2 }).execute();
  const { text, isWhole } = await reading.rest();
  await app.database.updateTable('redemptions').set({ status: 1 }).execute();
  const lines = text.trimEnd().split('\n');
  const ids = lines.slice(0, -1).map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids).toEqual(stored.map(({ id }) => id));
  expect([isWhole, lines.at(-1)]).toEqual([true, `{"complete":true,"rows":${stored.length}}`]);
});

test.each(['csv', 'jsonl'])('[A32.2] aborts a list export when rows are deleted during it (%s)', async (format) => {
  const reading = await startPartialRead(admin, `${redemptionExportApi.all.path}?format=${format}`);
  // The oldest row is the last one in the file.
  await app.database
    .deleteFrom('redemptions')
    .where('id', '=', (query) => query.selectFrom('redemptions').select(({ fn }) => fn.min('id').as('id')))
    .execute();
  const { text, isWhole } = await reading.rest();
  expect(isWhole).toBe(false);
  expect(text).not.toMatch(/^Complete,|"complete":true/m);
});

test('[A32.3] a list export occupies the only slot of its user', async () => {
  const reading = await startPartialRead(admin, redemptionExportApi.all.path);
  expect(await admin.send(userExportApi.all)).toMatchObject({ status: 429 });
  reading.leave();
});
