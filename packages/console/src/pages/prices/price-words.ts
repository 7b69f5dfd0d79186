import type { PricePart } from '@headgate/contract';

/** Labels of the price components. */
export const partWords = {
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  cache_write: 'Cache writing',
  cache_long_write: 'Cache writing for an hour',
  reasoning: 'Reasoning',
} as const satisfies Record<PricePart, string>;
