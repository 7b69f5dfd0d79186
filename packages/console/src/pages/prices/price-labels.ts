import type { PricePart } from '@headgate/contract';

/** Labels of the price components. */
export const pricePartLabels = {
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  cache_write: 'Cache write',
  cache_long_write: 'Cache write (1 h)',
  reasoning: 'Reasoning',
  audio: 'Audio input',
  cached_audio: 'Cached audio',
  audio_output: 'Audio output',
  image: 'Image input',
  cached_image: 'Cached image',
  image_output: 'Image output',
  flex: 'Flex tier input',
  priority: 'Priority tier input',
  call: 'Per request',
} as const satisfies Record<PricePart, string>;
