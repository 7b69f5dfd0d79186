import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { PackShelf } from './pack-shelf.ts';
import { UsagePackRepository } from './usage-pack-repository.ts';

const hour = 3600;

/** A repository of packed hours that counts what it asks the database. */
async function packedHours({ database }: TestApp) {
  const logs = [1, 2, 3].flatMap((user_id) =>
    [0, 1, 2].map((after) => ({ created_at: sampleHour + after * hour, user_id, quota: 100 * user_id + after })),
  );
  await writeLogs(database, logs);
  const packs = new UsagePackRepository(database);
  await packerOf(database).pack(sampleHour + 5 * hour);
  const hours = await packs.hours(sampleHour, sampleHour + 3 * hour);
  let asked = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const wanted = hours.map(({ hour: start, version }) => ({ start, version: version ?? 0 }));
  return { wanted, repository: new UsagePackRepository(database.withPlugin(counting)), asked: () => asked };
}

test('a pack is read once, and later only the columns that nobody asked for before', async () => {
  await using app = await startTestApp();
  const { wanted, repository, asked } = await packedHours(app);
  expect(wanted).toHaveLength(3);
  const shelf = new PackShelf();
  const first = await shelf.at(repository, 'users', wanted, ['user_id', 'quota']);
  expect(await shelf.at(repository, 'users', wanted, ['quota'])).toEqual(first);
  expect(asked()).toBe(1);
  const more = await shelf.at(repository, 'users', wanted, ['user_id', 'requests']);
  expect(asked()).toBe(2);
  const both = await new PackShelf().at(repository, 'users', wanted, ['user_id', 'quota', 'requests']);
  for (const [at, pack] of more.entries()) {
    for (const column of ['user_id', 'quota', 'requests'] as const)
      expect(pack.column(column)).toEqual(both[at]?.column(column));
  }
});

test('packs that were made anew are read again', async () => {
  await using app = await startTestApp();
  const { wanted, repository, asked } = await packedHours(app);
  const shelf = new PackShelf();
  await shelf.at(repository, 'users', wanted, ['quota']);
  const anew = wanted.map((each) => ({ ...each, version: each.version + 1 }));
  await app.database
    .updateTable('usage_packs')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .execute();
  await shelf.at(repository, 'users', anew, ['quota']);
  expect(asked()).toBe(2);
});

test('packs that take more memory than they may are read each time', async () => {
  await using app = await startTestApp();
  const { wanted, repository, asked } = await packedHours(app);
  const shelf = new PackShelf(0);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await shelf.at(repository, 'users', wanted, ['quota'])).toHaveLength(3);
  }
  expect(asked()).toBe(3);
});

test('[A58.3] long names in a pack take of the memory too', async () => {
  await using app = await startTestApp();
  const { wanted, repository, asked } = await packedHours(app);
  const many = { token_name: Array.from({ length: 1000 }, (_, index) => `${'name'.repeat(50)}${index}`) };
  await app.database
    .updateTable('usage_packs')
    .set({ names: JSON.stringify(many) })
    .where('kind', '=', 'users')
    .execute();
  const shelf = new PackShelf(700_000);
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await shelf.at(repository, 'users', wanted, ['quota'])).toHaveLength(3);
  }
  expect(asked()).toBe(2);
});
