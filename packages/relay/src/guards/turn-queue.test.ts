import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

test('heavy work of several requests is done in one turn of the event loop each, in the order they came [A24.13]', async () => {
  const queue = new TurnQueue();
  let turn = 0;
  const done: [name: string, turn: number][] = [];
  const work = async (name: string) => {
    await queue.next();
    done.push([name, turn]);
  };
  const all = Promise.all([work('first'), work('second'), work('third')]);
  for (; turn < 5; turn += 1) await nextTurn();
  await all;
  expect(done.map(([name]) => name)).toEqual(['first', 'second', 'third']);
  expect(new Set(done.map(([, at]) => at)).size).toBe(3);
});

test('who comes when nobody waits has his turn at once', async () => {
  const queue = new TurnQueue();
  await queue.next();
  let isServed = false;
  void queue.next().then(() => {
    isServed = true;
  });
  await nextTurn();
  await nextTurn();
  expect(isServed).toBe(true);
});
