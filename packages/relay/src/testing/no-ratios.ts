import type { SavedRatios } from '../quota/price.ts';

/** No saved ratios, so all prices are built in. */
export const noRatios: SavedRatios = {
  ModelRatio: {},
  CompletionRatio: {},
  GroupRatio: {},
  CacheReadRatio: {},
  CacheWriteRatio: {},
  CacheLongWriteRatio: {},
  ReasoningRatio: {},
  AudioRatio: {},
  CachedAudioRatio: {},
  AudioOutputRatio: {},
  ImageRatio: {},
  CachedImageRatio: {},
  ImageOutputRatio: {},
  FlexRatio: {},
  PriorityRatio: {},
  CallRatio: {},
  QuotaPerUnit: 500_000,
};

/** Fixed price for billing tests, independent of the built-in list. */
export const testRatios: SavedRatios = { ...noRatios, ModelRatio: { 'gpt-4o': 2.5 } };
