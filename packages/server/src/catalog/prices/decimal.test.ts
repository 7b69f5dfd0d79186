import { expect, it } from 'vitest';
import { decimalToNumber, divide, formatDecimal, multiply, parseDecimal } from './decimal.ts';

it.each([
  ['0', '0'],
  ['1e-7', '0.0000001'],
  ['1.50', '1.5'],
  ['1e21', '1000000000000000000000'],
  ['100', '100'],
  ['2.5e+3', '2500'],
])('formats %s as %s', (given, written) => {
  expect(formatDecimal(parseDecimal(given))).toBe(written);
});

it.each(['', '-1', 'NaN', 'Infinity', '1,5', '.5'])('rejects the number %j', (text) => {
  expect(() => parseDecimal(text)).toThrow(RangeError);
});

it('multiplies and divides without binary rounding errors', () => {
  expect(formatDecimal(multiply(parseDecimal('0.1'), parseDecimal('3')))).toBe('0.3');
  expect(formatDecimal(divide(parseDecimal('0.3'), parseDecimal('0.1')))).toBe('3');
  expect(formatDecimal(divide(parseDecimal('1'), parseDecimal('3')))).toBe('0.3333333333333333333333333333333333');
});

it('rounds to 12 digits only values that no double can represent', () => {
  expect(decimalToNumber(parseDecimal('0.1234567890123456'))).toBe(0.1234567890123456);
  expect(decimalToNumber(divide(parseDecimal('10'), parseDecimal('3')))).toBe(3.33333333333);
  expect(decimalToNumber(multiply(divide(parseDecimal('1'), parseDecimal('3')), parseDecimal('3')))).toBe(1);
});
