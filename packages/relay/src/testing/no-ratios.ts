import type { SavedRatios } from '../quota/price.ts';

/** Nothing saved: every price is built in. */
export const noRatios: SavedRatios = {
  ModelRatio: {},
  CompletionRatio: {},
  GroupRatio: {},
  CacheReadRatio: {},
  CacheWriteRatio: {},
  CacheLongWriteRatio: {},
  ReasoningRatio: {},
  QuotaPerUnit: 500_000,
};
