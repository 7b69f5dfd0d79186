import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { providerLooks } from './provider-looks.ts';

test('every channel type has a mark of its own', () => {
  const letters = channelTypes.map(({ id }) => providerLooks[id]?.letters);
  expect(letters).toHaveLength(46);
  expect(letters).not.toContain(undefined);
  expect(new Set(letters).size).toBe(letters.length);
});
