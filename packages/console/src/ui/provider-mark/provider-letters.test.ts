import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { providerLetters } from './provider-letters.ts';

test('shows distinct letters for each channel type', () => {
  const letters = channelTypes.map(({ id }) => providerLetters(id));
  expect(letters).not.toContain('?');
  expect(new Set(letters).size).toBe(letters.length);
});

test('shows a question mark for an unknown type', () => {
  expect(providerLetters(0)).toBe('?');
});
