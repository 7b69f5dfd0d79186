/** Unit of a price: a million tokens, an image, a million characters, a second of audio, a thousand searches. */
export type PriceUnit = 'tokens' | 'picture' | 'characters' | 'second' | 'searches';

const units: readonly [models: RegExp, unit: PriceUnit][] = [
  [
    /^(?:dall-e|(?:gpt|chatgpt)-image|cogview|wanx|step-1x|ali-stable-diffusion|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/,
    'picture',
  ],
  [/^tts-/, 'characters'],
  [/^(?:distil-)?whisper/, 'second'],
  [/^rerank-/, 'searches'],
];

/** Price unit of a model, by its name. */
export const priceUnitOf = (model: string): PriceUnit => units.find(([models]) => models.test(model))?.[1] ?? 'tokens';

/** Points per price unit at a ratio of 1. */
export const pointsPerUnit: Readonly<Record<PriceUnit, number>> = {
  tokens: 1_000_000,
  picture: 1000,
  characters: 1_000_000,
  second: 200 / 60,
  searches: 1_000_000,
};
