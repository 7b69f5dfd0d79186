/** Cache prices as multiples of the prompt token price. */
interface CacheRatios {
  readonly read: number;
  /** Cached for minutes. */
  readonly write?: number;
  /** Cached for an hour. */
  readonly longWrite?: number;
}

/** By model family, for models without a known price; the first match applies. */
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

/** Models that write to a cache only if the request enables caching; other models decide themselves. */
const cachesOnRequest = /claude|qwen/i;

export const cachesOnlyOnRequest = (model: string): boolean => cachesOnRequest.test(model);
