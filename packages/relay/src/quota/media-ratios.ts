/** Prices of audio and image tokens, as multiples of a prompt token and of a completion token. */
export interface MediaRatios {
  readonly audio_ratio?: number;
  readonly audio_completion_ratio?: number;
  readonly image_completion_ratio?: number;
}

/**
 * By name; the first match applies. Audio and images of other models cost the same as text. Entered on 2026-11-17 as
 * commonly known figures; to be compared with https://ai.google.dev/gemini-api/docs/pricing and
 * https://openai.com/api/pricing.
 */
const ratios: readonly [models: RegExp, ratios: MediaRatios][] = [
  [/gemini-2\.5-flash-image/, { image_completion_ratio: 30 / 2.5 }],
  [/gemini-3-pro-image/, { image_completion_ratio: 120 / 12 }],
  [/gemini-2\.5-flash-lite/, { audio_ratio: 0.3 / 0.1 }],
  [/gemini-2\.5-flash(?!-preview-tts)/, { audio_ratio: 1 / 0.3 }],
  [/gemini-2\.0-flash(?!-lite)/, { audio_ratio: 0.7 / 0.1 }],
  [/gemini-3-flash/, { audio_ratio: 1 / 0.5 }],
  [/gemini-3\.1-flash-lite/, { audio_ratio: 0.5 / 0.25 }],
  [/gpt-4o-mini-audio/, { audio_ratio: 10 / 0.15, audio_completion_ratio: 20 / 0.6 }],
  [/gpt-4o-audio/, { audio_ratio: 40 / 2.5, audio_completion_ratio: 80 / 10 }],
  [/gpt-audio-mini/, { audio_ratio: 10 / 0.6, audio_completion_ratio: 20 / 2.4 }],
  [/gpt-audio/, { audio_ratio: 32 / 2.5, audio_completion_ratio: 64 / 10 }],
  [/gpt-4o-transcribe/, { audio_ratio: 6 / 2.5 }],
  [/gpt-4o-mini-transcribe/, { audio_ratio: 3 / 1.25 }],
];

const none: MediaRatios = {};

export const mediaRatios = (model: string): MediaRatios => ratios.find(([models]) => models.test(model))?.[1] ?? none;
