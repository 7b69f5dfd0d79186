import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';

function cacheAt(start: number) {
  let [now, reads] = [start, 0];
  const cache = new ResponseCache<number>(30_000, () => now);
  const read = async () => {
    reads += 1;
    return reads;
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { ask: (question: object) => cache.get(question, read), wait };
}

test('returns the cached response to the same query for 30 seconds', async () => {
  const { ask, wait } = cacheAt(5);
  expect(await Promise.all([ask({ rows: 'model' }), ask({ rows: 'model' }), ask({ rows: 'user' })])).toEqual([1, 1, 2]);
  wait(29_999);
  expect(await ask({ rows: 'model' })).toBe(1);
  wait(1);
  expect(await ask({ rows: 'model' })).toBe(3);
});

test('[A58.2] evicts the oldest queries', async () => {
  const { ask } = cacheAt(0);
  for (let index = 0; index < 201; index += 1) await ask({ token_name: `none ${index}` });
  expect(await ask({ token_name: 'none 200' })).toBe(201);
  expect(await ask({ token_name: 'none 0' })).toBe(202);
});

test('does not cache errors', async () => {
  const cache = new ResponseCache<number>(30_000);
  await expect(cache.get({}, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await cache.get({}, async () => 7)).toBe(7);
});
