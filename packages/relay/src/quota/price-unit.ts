/** What a price is for: a million tokens, a picture, a million characters, a second of sound, a thousand searches. */
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

/** How a model is paid, by its name. */
export const priceUnitOf = (model: string): PriceUnit => units.find(([models]) => models.test(model))?.[1] ?? 'tokens';

/** How many times the ratio one of it costs, in points: so many for a million, a picture, a second, a thousand. */
export const pointsPerUnit: Readonly<Record<PriceUnit, number>> = {
  tokens: 1_000_000,
  picture: 1000,
  characters: 1_000_000,
  second: 200 / 60,
  searches: 1_000_000,
};
