import type { PricePart } from '@headgate/contract';

/** What the parts of a price are called. */
export const partWords = {
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  cache_write: 'Cache writing',
  cache_long_write: 'Cache writing for an hour',
  reasoning: 'Reasoning',
} as const satisfies Record<PricePart, string>;
