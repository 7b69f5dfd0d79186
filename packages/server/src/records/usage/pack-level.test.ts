import { expect, test } from 'vitest';
import { PackLevel } from './pack-level.ts';

test('[A58.8] sums are told apart however many there are before them', () => {
  const level = new PackLevel();
  const pairs = [0, 1, 2 ** 21 - 1, 2 ** 21, 2 ** 22 + 1, 2 ** 25].flatMap((before) =>
    [0, 1, 2, 3, 2 ** 22, 2 ** 32 - 1].map((code) => [before, code] as const),
  );
  const places = pairs.map(([before, code]) => level.placeAfter(before, code));
  expect(new Set(places).size).toBe(pairs.length);
  expect(pairs.map(([before, code]) => level.placeAfter(before, code))).toEqual(places);
  expect(level.copy().placeAfter(2 ** 22 + 1, 3)).toBe(level.placeAfter(2 ** 22 + 1, 3));
});
