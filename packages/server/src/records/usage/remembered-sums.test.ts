import { expect, test } from 'vitest';
import { packHour } from './make-pack.ts';
import { PackSums } from './pack-sums.ts';
import { RememberedSums } from './remembered-sums.ts';
import { type StoredPack, UsagePack } from './usage-pack.ts';

const sum = (user_id: number, model_name: string, quota: number) => ({
  ...{ hour: 3600, day: 0, type: 2, user_id, username: '', token_name: '', model_name, channel: 1, group: 'g' },
  ...{ rows: 1, quota, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, cost: 0 },
});
const stored = packHour('users', 3600, [sum(1, 'a', 10), sum(2, 'a', 20), sum(2, 'b', 5)]);
const pack = new UsagePack({ ...stored, version: 7 } as unknown as StoredPack);

/** Adds the pack up by user and model, and counts how often. */
function adding(most?: number) {
  const remembered = new RememberedSums(most);
  let added = 0;
  const of = (name: string) =>
    remembered.of({ name }, async () => {
      added += 1;
      const sums = new PackSums({ by: ['user_id', 'model_name'], measures: ['quota'], filter: {} });
      sums.add(pack, 0);
      return sums;
    });
  return { of, added: () => added };
}

const quotas = (sums: PackSums) => sums.rows().map(({ user_id, model_name, quota }) => [user_id, model_name, quota]);

test('packs are added up once for a question, whatever is added to its answers', async () => {
  const { of, added } = adding();
  const expected = [
    [1, 'a', 10],
    [2, 'a', 20],
    [2, 'b', 5],
  ];
  const first = await of('one');
  expect(quotas(first)).toEqual(expected);
  first.addSum({ user_id: 1, model_name: 'a', quota: 1, time: 0 });
  first.addSum({ user_id: 3, model_name: 'c', quota: 1, time: 0 });
  expect(quotas(first)).toEqual([[1, 'a', 11], ...expected.slice(1), [3, 'c', 1]]);
  expect(quotas(await of('one'))).toEqual(expected);
  expect(added()).toBe(1);
  await of('another');
  expect(added()).toBe(2);
});

test('of more sums than may be kept the ones are forgotten that were used longest ago', async () => {
  const { of, added } = adding(2 * 53);
  for (const name of ['one', 'two', 'one', 'three', 'one']) await of(name);
  expect(added()).toBe(3);
  await of('two');
  expect(added()).toBe(4);
});

test('[A58.2] questions without end whose answer is nothing are not all remembered', async () => {
  const remembered = new RememberedSums(1000);
  for (let each = 0; each < 500; each += 1) {
    const sums = new PackSums({ by: ['model_name'], measures: ['quota'], filter: { model_name: `no such ${each}` } });
    sums.add(pack, 0);
    expect(sums.count).toBe(0);
    await remembered.of({ each }, async () => sums);
  }
  expect(remembered.size).toBeGreaterThan(0);
  expect(remembered.size).toBeLessThanOrEqual(20);
});
