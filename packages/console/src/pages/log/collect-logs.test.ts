import type { Log } from '@headgate/contract';
import { expect, test } from 'vitest';
import { collectLogs } from './collect-logs.ts';

const quiet = () => undefined;

/** A server with so many logs, which may hide their total or their ids, or give pages of its own length. */
function serverOf(count: number, { tells = true, hasIds = true, pageLength = 100 } = {}) {
  const asked: number[] = [];
  const all = Array.from({ length: count }, (_, index) => ({ id: hasIds ? count - index : 0 }) as Log);
  const read = async ({ p }: { p: number }) => {
    asked.push(p);
    return { rows: all.slice(p * pageLength, (p + 1) * pageLength), total: tells ? count : undefined };
  };
  return { read, asked };
}

test.each([0, 1, 99, 100, 101, 250, 300])('%i logs are read once each, with or without a total', async (count) => {
  for (const ways of [{}, { tells: false }, { hasIds: false }, { pageLength: 10 }, { pageLength: 10, tells: false }]) {
    const { logs, isWhole } = await collectLogs(serverOf(count, ways).read, quiet);
    expect([logs.length, isWhole]).toEqual([count, true]);
  }
});

test('with a total no page is asked for in vain', async () => {
  const { read, asked } = serverOf(200);
  await collectLogs(read, quiet);
  expect(asked).toEqual([0, 1]);
});

test.each([
  [{}, 250, 250],
  [{ tells: false }, 250, 250],
  [{}, 249, 249],
])('it stops at the bound and says so (%j)', async (ways, most, covered) => {
  const { logs, isWhole } = await collectLogs(serverOf(1000, ways).read, quiet, most);
  expect([logs.length, isWhole]).toEqual([covered, false]);
});

test('as many as the bound are the whole', async () => {
  expect(await collectLogs(serverOf(300).read, quiet, 300)).toMatchObject({ isWhole: true, total: 300 });
});

test('a row that slipped onto the next page counts once', async () => {
  const pages = [[5, 4], [4, 3], [2]].map((ids) => ids.map((id) => ({ id }) as Log));
  const { logs } = await collectLogs(async ({ p }) => ({ rows: pages[p] ?? [], total: undefined }), quiet);
  expect(logs.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
});

test('it tells how far it is', async () => {
  const told: unknown[] = [];
  await collectLogs(serverOf(250).read, (...progress) => told.push(progress), 240);
  expect(told).toEqual([
    [100, 240],
    [200, 240],
    [240, 240],
  ]);
});
