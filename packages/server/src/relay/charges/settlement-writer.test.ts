import { expect, test } from 'vitest';
import { ChargeRateDetector } from './settlement-writer.ts';

function paceOf() {
  let now = 0;
  const pace = new ChargeRateDetector(() => now);
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

test('many consecutive charges over time count as a steady pace', () => {
  expect(paceOf().charge(500, 1)).toBe(true);
});

test.each([
  ['a short burst', 250, 0.1],
  ['a few charges per second', 500, 10],
])('%s does not count as a steady pace', (_, count, everyMs) => {
  expect(paceOf().charge(count, everyMs)).toBe(false);
});

test('the first charge after a pause is not counted as a steady pace', () => {
  const { charge } = paceOf();
  charge(500, 1);
  expect(charge(1, 1000)).toBe(false);
});
