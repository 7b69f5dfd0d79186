import { expect, it } from 'vitest';
import { trimAmounts } from './trim-amounts.ts';

it('omits trailing zeros after the second decimal, but no other digits', () => {
  const values = {
    amount: '$360.000000',
    cost: '$0.006900',
    both: '$1.250000 to $1,000.100000',
    model: 'gpt-4.100',
    count: 5,
  };
  expect(trimAmounts(values)).toEqual({
    amount: '$360.00',
    cost: '$0.0069',
    both: '$1.25 to $1,000.10',
    model: 'gpt-4.100',
    count: 5,
  });
});
