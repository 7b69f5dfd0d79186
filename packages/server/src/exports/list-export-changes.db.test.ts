import { redemptionApi, redemptionExportApi, totalHeader, userExportApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { beginReading } from '../testing/partial-reading.ts';
import { startTestApp } from '../testing/test-app.ts';

/** Longer names than any code has: more than all buffers between a reader and the table hold. */
const rowCount = 11_000;
const longName = 'x'.repeat(3000);

async function startFilled() {
  const app = await startTestApp();
  const admin = await app.as('admin');
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
  return { app, admin };
}

test('a row that is made, or that no longer matches, while a list is exported changes nothing', async () => {
  const { app, admin } = await startFilled();
  await using _ = app;
  const stored = await app.database.selectFrom('redemptions').select('id').orderBy('id', 'desc').execute();
  const reading = await beginReading(admin, `${redemptionExportApi.all.path}?format=jsonl&status=1`);
  expect(reading.response.headers.get(totalHeader)).toBe(String(rowCount));
  await admin.call(redemptionApi.create, { body: { name: 'later', quota: 1, count: 3 } });
  await app.database.updateTable('redemptions').set({ status: 2 }).execute();
  const { text, isWhole } = await reading.rest();
  const lines = text.trimEnd().split('\n');
  const ids = lines.slice(0, -1).map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids).toEqual(stored.map(({ id }) => id));
  expect([isWhole, lines.at(-1)]).toEqual([true, `{"complete":true,"rows":${rowCount}}`]);
});

test.each(['csv', 'jsonl'])('[A32.2] a list of which rows are deleted meanwhile breaks off (%s)', async (format) => {
  const { app, admin } = await startFilled();
  await using _ = app;
  const reading = await beginReading(admin, `${redemptionExportApi.all.path}?format=${format}`);
  await app.database.deleteFrom('redemptions').where('name', '=', 'first').execute();
  const { text, isWhole } = await reading.rest();
  expect(isWhole).toBe(false);
  expect(text).not.toMatch(/^Complete,|"complete":true/m);
});

test('[A32.3] an export of a list takes the one place that its reader has', async () => {
  const { app, admin } = await startFilled();
  await using _ = app;
  const reading = await beginReading(admin, redemptionExportApi.all.path);
  expect(await admin.send(userExportApi.all)).toMatchObject({ status: 429 });
  reading.leave();
});
