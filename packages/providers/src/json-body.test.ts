import { RequestProblem } from '@headgate/dialects';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBody } from './json-body.ts';

const seed = 64;
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '水', '😀', '\ud800') });

it('[A64.4] never builds a body above the limit, regardless of the repeated characters', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 2, max: 4000 }),
      (name, word, count, largestBody) => {
        const value = { name, list: Array.from({ length: count }, () => ({ [name]: word, n: 1e-7, on: true })) };
        try {
          expect(Buffer.byteLength(jsonBody(value, { largestBody }))).toBeLessThanOrEqual(largestBody);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestProblem);
          expect(Buffer.byteLength(JSON.stringify(value)) * 8).toBeGreaterThan(largestBody);
        }
      },
    ),
    { seed },
  );
});

it('builds a body exactly at the limit', () => {
  const value = { a: 'x'.repeat(1000), b: ['"'.repeat(100), null] };
  const body = JSON.stringify(value);
  expect(jsonBody(value, { largestBody: body.length + 100 })).toBe(body);
});

it('[A64.4] rejects a repeated string before serializing the body', () => {
  const image = 'A'.repeat(20 * 1024 * 1024);
  const value = Array.from({ length: 1000 }, () => ({ image }));
  expect(() => jsonBody(value, { largestBody: 100_000_000 })).toThrow(RequestProblem);
});
