import { fillTemplate } from '@headgate/contract';
import { expect, test } from 'vitest';
import { relativeTime } from './ago.ts';

const inEnglish = (text: string, values: Readonly<Record<string, string | number>> = {}) => fillTemplate(text, values);

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [-5, 'just now'],
  [60, '1 min ago'],
  [3599, '59 min ago'],
  [3600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, '1 d ago'],
  [2_000_000, '23 d ago'],
])('formats %i seconds as %s', (passed, text) => {
  expect(relativeTime(inEnglish, 1_800_000_000, 1_800_000_000 + passed)).toBe(text);
});
