import { expect, test } from 'vitest';
import { packColumn, unpackColumn } from './packed-column.ts';

test.each([
  ['nothing', [], 1],
  ['zeros', [0, 0, 0], 1],
  ['small numbers', [0, 1, 255], 1],
  ['larger ones', [0, 256, 65_535], 2],
  ['those of 32 bits', [7, 65_536, 2 ** 32 - 1], 4],
  ['the largest there are', [2 ** 32, Number.MAX_SAFE_INTEGER, 0], 8],
  ['what was given back', [-1, 5, -(2 ** 40)], 8],
])('%s come back as they were, in as few bytes as they need', (_, numbers, width) => {
  const packed = packColumn(numbers);
  expect(packed).toHaveLength(numbers.length * width + 1);
  expect([...unpackColumn(packed)]).toEqual(numbers);
});

test('a column is read wherever it lies in the memory of another', () => {
  const packed = packColumn([1, 70_000, 3]);
  for (const shift of [0, 1, 2, 3, 5]) {
    const larger = new Uint8Array(packed.length + 16);
    larger.set(packed, shift);
    expect([...unpackColumn(larger.subarray(shift, shift + packed.length))]).toEqual([1, 70_000, 3]);
  }
});

test('what is no column is told', () => {
  expect(() => unpackColumn(new Uint8Array())).toThrow('no packed column');
  expect(() => unpackColumn(new Uint8Array([1, 2, 3]))).toThrow('no packed column');
});
