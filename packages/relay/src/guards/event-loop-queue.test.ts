import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventLoopQueue } from './event-loop-queue.ts';

test("[A24.13] runs each request's heavy work in a separate turn of the event loop, in order of arrival", async () => {
  const queue = new EventLoopQueue();
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

test('runs immediately when the queue is empty', async () => {
  const queue = new EventLoopQueue();
  await queue.next();
  let isServed = false;
  void queue.next().then(() => {
    isServed = true;
  });
  await nextTurn();
  await nextTurn();
  expect(isServed).toBe(true);
});
