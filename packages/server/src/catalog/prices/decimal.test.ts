import { expect, it } from 'vitest';
import { decimal, decimalText, divide, multiply, numberOf } from './decimal.ts';

it.each([
  ['0', '0'],
  ['1e-7', '0.0000001'],
  ['1.50', '1.5'],
  ['1e21', '1000000000000000000000'],
  ['100', '100'],
  ['2.5e+3', '2500'],
])('formats %s as %s', (given, written) => {
  expect(decimalText(decimal(given))).toBe(written);
});

it.each(['', '-1', 'NaN', 'Infinity', '1,5', '.5'])('rejects the number %j', (text) => {
  expect(() => decimal(text)).toThrow(RangeError);
});

it('multiplies and divides without binary rounding errors', () => {
  expect(decimalText(multiply(decimal('0.1'), decimal('3')))).toBe('0.3');
  expect(decimalText(divide(decimal('0.3'), decimal('0.1')))).toBe('3');
  expect(decimalText(divide(decimal('1'), decimal('3')))).toBe('0.3333333333333333333333333333333333');
});

it('rounds to 12 digits only values that no double can represent', () => {
  expect(numberOf(decimal('0.1234567890123456'))).toBe(0.1234567890123456);
  expect(numberOf(divide(decimal('10'), decimal('3')))).toBe(3.33333333333);
  expect(numberOf(multiply(divide(decimal('1'), decimal('3')), decimal('3')))).toBe(1);
});
