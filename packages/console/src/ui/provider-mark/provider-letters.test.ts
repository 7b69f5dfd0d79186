import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { providerLetters } from './provider-letters.ts';

test('every channel type has letters of its own', () => {
  const letters = channelTypes.map(({ id }) => providerLetters[id]);
  expect(letters).toHaveLength(46);
  expect(letters).not.toContain(undefined);
  expect(new Set(letters).size).toBe(letters.length);
});
