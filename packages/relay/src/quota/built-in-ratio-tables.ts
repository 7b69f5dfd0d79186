interface Rule {
  readonly applies: (model: string) => boolean;
  readonly ratio: number;
}

const startsWith = (prefix: string) => (model: string) => model.startsWith(prefix);
const isOneOf =
  (...names: string[]) =>
  (model: string) =>
    names.includes(model);

/** Completion ratios by model family; the first match applies. */
const completionRules: readonly Rule[] = [
  { applies: (model) => model === 'gpt-3.5-turbo' || /^gpt-3\.5.*0125$/.test(model), ratio: 3 },
  { applies: (model) => /^gpt-3\.5.*1106$/.test(model), ratio: 2 },
  { applies: startsWith('gpt-3.5'), ratio: 4 / 3 },
  { applies: isOneOf('gpt-4o-2024-05-13', 'chatgpt-4o-latest'), ratio: 3 },
  { applies: startsWith('gpt-4o'), ratio: 4 },
  { applies: (model) => model.startsWith('gpt-4-turbo') || /^gpt-4.*preview$/.test(model), ratio: 3 },
  { applies: startsWith('gpt-4'), ratio: 2 },
  { applies: (model) => /^o[13]/.test(model), ratio: 4 },
  { applies: startsWith('claude-3'), ratio: 5 },
  { applies: startsWith('claude-'), ratio: 3 },
  { applies: startsWith('mistral-'), ratio: 3 },
  { applies: startsWith('gemini-'), ratio: 3 },
  { applies: startsWith('deepseek-'), ratio: 2 },
  { applies: isOneOf('llama2-70b-4096'), ratio: 1.25 },
  { applies: isOneOf('llama3-8b-8192'), ratio: 2 },
  { applies: isOneOf('llama3-70b-8192'), ratio: 0.79 / 0.59 },
  { applies: isOneOf('command', 'command-light', 'command-nightly', 'command-light-nightly'), ratio: 2 },
  { applies: isOneOf('command-r', 'grok-beta'), ratio: 3 },
  { applies: isOneOf('command-r-plus'), ratio: 5 },
];

/** Price of a completion token in prompt tokens, by model family; 1 for an unknown family. */
export const completionRatioByRule = (model: string): number =>
  completionRules.find(({ applies }) => applies(model))?.ratio ?? 1;

/** Cache prices as multiples of the prompt token price. */
interface CacheRatios {
  readonly read: number;
  /** Cached for a few minutes. */
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

/** Models that write to a cache only if the request enables caching; other models cache automatically. */
const cachesOnRequest = /claude|qwen/i;

export const requiresExplicitCaching = (model: string): boolean => cachesOnRequest.test(model);

export type RatioTable = Readonly<Record<string, number>>;

/** Looks up a model's value for this channel type, then its general value. */
export function lookUpRatio(model: string, channelType: number, table: RatioTable): number | undefined {
  const name = withoutSearchSuffix(model);
  return exactRatio(table, `${name}(${channelType})`) ?? exactRatio(table, name);
}

export const exactRatio = (table: RatioTable, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Some models search the web when their name has this suffix, at the same price. */
export const withoutSearchSuffix = (model: string): string =>
  model.replace(/^((?:qwen|command)(?:-.*)?)-internet$/, '$1');

/**
 * Prices of audio and image tokens. Input is a multiple of a prompt token, cached input of a cached token, and output
 * of a completion token.
 */
export interface MediaRatios {
  readonly audio_ratio?: number;
  readonly cached_audio_ratio?: number;
  readonly audio_completion_ratio?: number;
  readonly image_ratio?: number;
  readonly cached_image_ratio?: number;
  readonly image_completion_ratio?: number;
}

/**
 * By name; the first match applies. Audio and images of other models cost the same as text. Entered on 2026-11-17 from
 * commonly known prices; to be compared with https://ai.google.dev/gemini-api/docs/pricing and
 * https://openai.com/api/pricing.
 */
const ratios: readonly [models: RegExp, ratios: MediaRatios][] = [
  [/gemini-2\.5-flash-image/, { image_completion_ratio: 30 / 2.5 }],
  [/gemini-3-pro-image/, { image_completion_ratio: 120 / 12 }],
  [/gemini-2\.5-flash-lite/, { audio_ratio: 0.3 / 0.1, cached_audio_ratio: 0.03 / 0.01 }],
  [/gemini-2\.5-flash(?!-preview-tts)/, { audio_ratio: 1 / 0.3, cached_audio_ratio: 0.1 / 0.03 }],
  [/gemini-2\.0-flash(?!-lite)/, { audio_ratio: 0.7 / 0.1, cached_audio_ratio: 0.175 / 0.025 }],
  [/gemini-3-flash/, { audio_ratio: 1 / 0.5, cached_audio_ratio: 0.1 / 0.05 }],
  [/gemini-3\.1-flash-lite/, { audio_ratio: 0.5 / 0.25, cached_audio_ratio: 0.05 / 0.025 }],
  [/gpt-4o-mini-audio/, { audio_ratio: 10 / 0.15, audio_completion_ratio: 20 / 0.6 }],
  [/gpt-4o-audio/, { audio_ratio: 40 / 2.5, audio_completion_ratio: 80 / 10 }],
  [/gpt-audio-mini/, { audio_ratio: 10 / 0.6, audio_completion_ratio: 20 / 2.4 }],
  [/gpt-audio/, { audio_ratio: 32 / 2.5, audio_completion_ratio: 64 / 10 }],
  [/gpt-4o-transcribe/, { audio_ratio: 6 / 2.5 }],
  [/gpt-4o-mini-transcribe/, { audio_ratio: 3 / 1.25 }],
];

const none: MediaRatios = {};

export const mediaRatios = (model: string): MediaRatios => ratios.find(([models]) => models.test(model))?.[1] ?? none;
