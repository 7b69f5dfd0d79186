import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openServerDatabase } from '../../platform/db/server-database.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { checkSecretKey } from '../../platform/secrets/secret-check-repository.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { BalanceRollupRepository } from '../../records/totals/balance-rollup-repository.ts';
import { BudgetRollupRepository } from '../../records/totals/budget-rollup-repository.ts';
import {
  type ArchiveLocation,
  archiveContents,
  archiveFolder,
  exportArchive,
  restoreArchive,
  withDatabase,
} from '../../testing/commands/archive-fixture.ts';
import { fillWithRandomRows } from '../../testing/commands/random-contents.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { sample } from '../../testing/sample.ts';
import { archivedTables } from './archived-tables.ts';

/** Random contents in a database created by a server. */
async function fill({ location }: ArchiveLocation, seed: number): Promise<void> {
  const { database, close } = await openServerDatabase(location);
  const box = new SecretBox(loadSecretKey(location.dataDir, undefined));
  await checkSecretKey(database, box);
  await fillWithRandomRows(database, box, seed);
  await close();
}

/** Adds pending changes for existing and for missing owners and budgets. */
const addChanges = (location: ArchiveLocation) =>
  withDatabase(location, async (database) => {
    for (const kind of ['user', 'token', 'channel']) {
      await sql`insert into balance_changes (kind, owner_id, quota, limited, unlogged, budgeted, requests, used_time)
        select ${kind}, 7 * (i % 3 + 1), i * 10, i, i * 2, i * 3, 1, 1800000000 + i from generate_series(1, 9) as i`.execute(
        database,
      );
    }
    await sql`insert into budget_changes (period_id, quota) values (7, 5), (7, 6), (14, 1)`.execute(database);
  });

const applyAll = (location: ArchiveLocation) =>
  withDatabase(location, async (database) => {
    await new BalanceRollupRepository(database).applyBatch();
    await new BudgetRollupRepository(database).applyBatch();
  });

describe.each(sample([1, 2, 3], 1))('random table contents (seed %i)', (seed) => {
  test('values are unchanged after a move from SQLite to PostgreSQL and back', async () => {
    using files = archiveFolder();
    await using first = await createTestDatabase('sqlite');
    await using second = await createTestDatabase('postgres');
    await using third = await createTestDatabase('sqlite');
    await fill(first, seed);
    await exportArchive(files.path('one'), first);
    await restoreArchive(files.path('one'), second);
    await exportArchive(files.path('two'), second);
    await restoreArchive(files.path('two'), third);
    const contents = await archiveContents(first);
    expect(Object.values(contents).every((rows) => rows.length > 5)).toBe(true);
    expect(Object.keys(contents)).toEqual(archivedTables);
    expect(await archiveContents(second)).toEqual(contents);
    expect(await archiveContents(third)).toEqual(contents);
  });

  test('pending changes are added to the totals in a move from PostgreSQL to SQLite and back', async () => {
    using files = archiveFolder();
    await using first = await createTestDatabase('postgres');
    await using second = await createTestDatabase('sqlite');
    await using third = await createTestDatabase('postgres');
    await fill(first, seed);
    await addChanges(first);
    await exportArchive(files.path('one'), first);
    await restoreArchive(files.path('one'), second);
    await exportArchive(files.path('two'), second);
    await restoreArchive(files.path('two'), third);
    const before = await archiveContents(first);
    await applyAll(first);
    const contents = await archiveContents(first);
    for (const table of ['users', 'tokens', 'budget_periods']) {
      expect(contents[table]).not.toEqual(before[table]);
    }
    expect(await archiveContents(second)).toEqual(contents);
    expect(await archiveContents(third)).toEqual(contents);
  });
});

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('after a move from %s to %s, the id of a deleted row is not assigned again', async (from, to) => {
  using files = archiveFolder();
  await using first = await createTestDatabase(from);
  await using second = await createTestDatabase(to);
  await fill(first, 4);
  const add = (location: ArchiveLocation) =>
    withDatabase(location, (database) =>
      database
        .insertInto('redemptions')
        .values({
          ...{ user_id: 1, key_hash: 'hash', key_sealed: '', status: 1, name: '', quota: 1 },
          ...{ created_time: 0, redeemed_time: 0, redeemed_user_id: 0 },
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  if (from === 'postgres') {
    await withDatabase(first, (database) =>
      sql`select setval(pg_get_serial_sequence('redemptions', 'id'), 500)`.execute(database),
    );
  }
  const { id } = await add(first);
  await withDatabase(first, (database) => database.deleteFrom('redemptions').where('id', '=', id).execute());
  await exportArchive(files.path('one'), first);
  await restoreArchive(files.path('one'), second);
  expect((await add(second)).id).toBe(id + 1);
});
