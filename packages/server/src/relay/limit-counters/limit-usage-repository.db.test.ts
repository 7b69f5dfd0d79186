import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { LimitUsageRepository } from './limit-usage-repository.ts';

const app = await useTestApp({ isUntouched: true });
const uses = new LimitUsageRepository(app.database);

it('replaces the usage of a key, and deletes usage that is no longer counted', async () => {
  await uses.save([
    { key: 'a', told: '[[0,1]]', saved_time: 100 },
    { key: 'b', told: '[[0,2]]', saved_time: 100 },
  ]);
  await uses.save([{ key: 'a', told: '[[0,5]]', saved_time: 200 }]);
  expect(await uses.since(200)).toEqual([{ key: 'a', told: '[[0,5]]', saved_time: 200 }]);
  expect(await uses.since(0)).toHaveLength(1);
});

it('saves more keys than fit into one statement', async () => {
  const many = Array.from({ length: 601 }, (_, index) => ({ key: `key ${index}`, told: '[]', saved_time: 300 }));
  await uses.save(many);
  expect(await uses.since(300)).toHaveLength(601);
});
