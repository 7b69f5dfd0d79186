import { expect, test } from 'vitest';
import { ChargePace } from './charge-pace.ts';

function paceOf() {
  let now = 0;
  const pace = new ChargePace(() => now);
  /** `count` charges, one every `everyMs` milliseconds. */
  const charge = (count: number, everyMs: number) => {
    for (let each = 0; each < count; each += 1) {
      now += everyMs;
      pace.add(1);
    }
    return pace.isSteady;
  };
  return { charge };
}

test('many consecutive charges over time are a steady pace', () => {
  expect(paceOf().charge(500, 1)).toBe(true);
});

test.each([
  ['a burst', 250, 0.1],
  ['a few a second', 500, 10],
])('%s is not a steady pace', (_, count, everyMs) => {
  expect(paceOf().charge(count, everyMs)).toBe(false);
});

test('the steady pace ends with the first charge after a pause', () => {
  const { charge } = paceOf();
  charge(500, 1);
  expect(charge(1, 1000)).toBe(false);
});
