import { optionApi, priceApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

async function optionOf(app: TestApp, name: string): Promise<string | undefined> {
  const admin = await app.as('admin');
  return (await admin.call(optionApi.list, { query: { ratios: 'saved' } })).find(({ key }) => key === name)?.value;
}

test('concurrent price changes of different models are all saved', async () => {
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

test('a new gateway rejects models without a price', async () => {
  await using stored = await createMigratedDatabase();
  await using app = await startTestApp({ on: stored });
  expect(await optionOf(app, 'ModelsWithoutPrice')).toBe('refuse');
});
