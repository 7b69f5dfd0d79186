import { expect, test } from 'vitest';
import { NodeCrowd } from '../testing/node-crowd.ts';
import { createTestDatabase } from '../testing/test-database.ts';

/** Which two of the three are killed, and after how many replies of all each of them. */
const rounds = [
  [0, 40, 1, 7],
  [2, 63, 0, 1],
  [2, 25, 1, 90],
  [1, 13, 0, 51],
  [2, 2, 0, 34],
] as const;
const clients = 9;

test('[A9.1] kill -9 ten times over three nodes under load: every reply that was seen is charged and written down once, the others serve on', async () => {
  await using stored = await createTestDatabase();
  await using crowd = await NodeCrowd.start(stored, 3);
  crowd.told.clear();
  crowd.load(clients);
  for (const [first, before, second, between] of rounds) {
    await crowd.answeredAfter(before);
    await crowd.kill(first);
    // All replies are of the others now, and then of the one that is left.
    await crowd.answeredAfter(between);
    await crowd.kill(second);
    await crowd.answeredAfter(clients);
    // A start takes its time where clients want all of the processor.
    crowd.rest();
    await Promise.all([crowd.startAnother(first), crowd.startAnother(second)]);
    crowd.goOn();
  }
  await crowd.answeredAfter(10 * clients);
  await crowd.endLoad();
  expect(crowd.toldElse.filter((told) => told !== 'broken')).toEqual([]);
  // A client asks once at a time: no more than its share is broken off by a kill.
  expect(crowd.told.get('broken') ?? 0).toBeLessThanOrEqual((rounds.length * 2 * clients) / 3);
  await crowd.expectExactBooks();
});
