import type { PricePart } from '@headgate/contract';

/** Labels of the price components. */
export const pricePartLabels = {
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  cache_write: 'Cache write',
  cache_long_write: 'Cache write (1 h)',
  reasoning: 'Reasoning',
} as const satisfies Record<PricePart, string>;
