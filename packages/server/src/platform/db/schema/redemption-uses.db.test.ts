import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database/test-database.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';

it('codes from version 1.0 have one use, and used codes have none left', async () => {
  await using stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  try {
    await migrate(database, { upTo: '1.0-initial' });
    const code = { user_id: 1, key_sealed: '', name: 'old', quota: 5, created_time: 1 };
    const times = { redeemed_time: 0, redeemed_user_id: 0 };
    await database
      .insertInto('redemptions')
      .values([1, 2, 3].map((status) => ({ ...code, ...times, status, key_hash: `hash ${status}` })))
      .execute();
    await migrate(database);
    const rows = await database.selectFrom('redemptions').selectAll().orderBy('id').execute();
    expect(rows).toMatchObject([1, 2, 3].map((status) => ({ status, max_uses: 1, expired_time: 0 })));
    expect(rows.map(({ use_count }) => use_count)).toEqual([0, 0, 1]);
  } finally {
    await database.destroy();
  }
});
