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

/** The price that the tests of charges compute with, whatever the built-in list says today. */
export const testRatios: SavedRatios = { ...noRatios, ModelRatio: { 'gpt-4o': 2.5 } };
