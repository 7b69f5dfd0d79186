import { redemptionApi, redemptionBulkApi, userApi } from '@headgate/contract';
import { beforeEach, expect, test } from 'vitest';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const user = await app.as('user');

type Body = Parameters<typeof admin.call<typeof redemptionBulkApi.run>>[1]['body'];
const run = (body: Body) => admin.call(redemptionBulkApi.run, { body });
const codes = async () =>
  (await admin.call(redemptionApi.list, { query: {} }))
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, status }) => ({ id, status }));

beforeEach(async () => {
  await app.database.deleteFrom('redemptions').execute();
});

const make = (name: string, count: number) => admin.call(redemptionApi.create, { body: { name, quota: 5, count } });

test('bulk disable skips and reports used codes, and can be undone', async () => {
  const [key = ''] = await make('spring', 3);
  await user.call(userApi.redeem, { body: { key } });
  const before = await codes();
  const report = await run({
    chosen: { filter: { keyword: 'spring' }, count: 3 },
    change: { kind: 'status', status: 2 },
  });
  expect(report).toMatchObject({ changed: 2, failed: 1 });
  expect(report.rows.find(({ outcome }) => outcome === 'failed')?.message).toMatch(
    /used redemption code cannot be changed/,
  );
  expect((await codes()).map(({ status }) => status).toSorted()).toEqual([2, 2, 3]);
  await admin.call(redemptionBulkApi.undo, { body: { undo: report.undo } });
  expect(await codes()).toEqual(before);
});

test('bulk delete logs an entry for each code', async () => {
  await make('spring', 2);
  await make('summer', 1);
  const report = await run({ chosen: { filter: { keyword: 'spring' }, count: 2 }, change: { kind: 'delete' } });
  expect(report).toMatchObject({ changed: 2, undo: '' });
  expect(await codes()).toHaveLength(1);
  const logs = await app.database.selectFrom('logs').select('content').orderBy('id', 'desc').limit(2).execute();
  expect(logs.every(({ content }) => /deleted code \d+$/.test(content))).toBe(true);
});

test('undo skips a code that has been redeemed since', async () => {
  const [key = ''] = await make('spring', 1);
  const [code] = await codes();
  const off = await run({ chosen: { ids: [code?.id ?? 0] }, change: { kind: 'status', status: 2 } });
  const on = await run({ chosen: { ids: [code?.id ?? 0] }, change: { kind: 'status', status: 1 } });
  await user.call(userApi.redeem, { body: { key } });
  for (const { undo } of [on, off]) {
    const { body } = await admin.send(redemptionBulkApi.undo, { body: { undo } });
    expect(body).toEqual(apiFailure(/^Not undone: some rows have changed since \(1\)/));
  }
  expect((await codes()).map(({ status }) => status)).toEqual([3]);
});
