import { optionApi, priceApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createFirstRoot } from '../../accounts/users/first-root.ts';
import { UserRepository } from '../../accounts/users/user-repository.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

async function optionOf(app: TestApp, name: string): Promise<string | undefined> {
  const admin = await app.as('admin');
  return (await admin.call(optionApi.list, { query: { ratios: 'saved' } })).find(({ key }) => key === name)?.value;
}

test('price changes of different models at the same time are all saved', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await Promise.all(
    ['one', 'two', 'three', 'four'].map((model) =>
      admin.call(priceApi.save, { body: { changes: [{ model, price: { input: 2 } }] } }),
    ),
  );
  const saved = JSON.parse((await optionOf(app, 'ModelRatio')) ?? '{}');
  expect(saved).toMatchObject({ one: 1, two: 1, three: 1, four: 1 });
});

test('an upgraded gateway continues to charge models without a price, a new one rejects them', async () => {
  await using stored = await createTestDatabase();
  const before = await openDatabase(stored.location);
  await migrate(before, '0018-many-at-once');
  await createFirstRoot(new UserRepository(before), 'a-password-of-root');
  await before.destroy();
  await using upgraded = await startTestApp({ on: stored });
  expect(await optionOf(upgraded, 'ModelsWithoutPrice')).toBe('charge');
  await using fresh = await createMigratedDatabase();
  await using begun = await startTestApp({ on: fresh });
  expect(await optionOf(begun, 'ModelsWithoutPrice')).toBe('refuse');
});
