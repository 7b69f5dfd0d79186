import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { providerLetters } from './provider-letters.ts';

test('marks each channel type with its own letters', () => {
  const letters = channelTypes.map(({ id }) => providerLetters(id));
  expect(letters).not.toContain('?');
  expect(new Set(letters).size).toBe(letters.length);
});

test('marks an unknown type with a question mark', () => {
  expect(providerLetters(0)).toBe('?');
});
