import type { PricePart } from '@headgate/contract';

/** What the parts of a price are called. */
export const partWords = {
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  cache_write: 'Cache write',
  cache_long_write: 'Cache write (1 h)',
  reasoning: 'Reasoning',
} as const satisfies Record<PricePart, string>;
