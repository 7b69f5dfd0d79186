/** What parts of a prompt cost that have to do with a cache, as multiples of the price of a prompt token. */
interface CacheRatios {
  readonly read: number;
  /** Kept for minutes. */
  readonly write?: number;
  /** Kept for an hour. */
  readonly longWrite?: number;
}

/** By family of models, for all of which no price of their own is known; the first that applies counts. */
const families: readonly [models: RegExp, ratios: CacheRatios][] = [
  [/claude-(?!2|instant)/i, { read: 0.1, write: 1.25, longWrite: 2 }],
  [/(?:^|\/)gpt-4\.1(?:-|$)/, { read: 0.25 }],
  [/(?:^|\/)(?:gpt-4o|o1|o3-mini)(?:-|$)/, { read: 0.5 }],
  [/(?:^|\/)gpt-5(?:[.-]|$)/, { read: 0.1 }],
  [/(?:^|\/)gemini-(?:2\.5|3)/, { read: 0.1 }],
];

const noRatios: CacheRatios = { read: 1 };

export const cacheRatiosByRule = (model: string): CacheRatios =>
  families.find(([models]) => models.test(model))?.[1] ?? noRatios;

/** Models that write into a cache only where a request says so; others do it when they see fit. */
const obedient = /claude|qwen/i;

export const writesOnlyWhenAsked = (model: string): boolean => obedient.test(model);
