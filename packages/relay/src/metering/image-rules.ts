/** Sizes and qualities that a model supports, if its maker documents them. */
export interface ImageRules {
  /** Multiples of the price of the smallest or default size. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly most: number;
  readonly longestPrompt: number;
}

/**
 * Rules for a model whose images are charged by tokens. All weights are in units of the price of one token at the
 * model's ratio.
 */
export interface TokenRules {
  readonly output: number;
  readonly text: number;
  readonly image: number;
  /** Tokens of one image by quality: square, portrait, landscape. Other sizes are charged by area. */
  readonly tokens: Readonly<Record<string, readonly [square: number, upright: number, wide: number]>>;
  readonly isByArea?: true;
}

const square = (sides: readonly number[]) => Object.fromEntries(sides.map((side) => [`${side}x${side}`, 1]));
const even = (sizes: readonly string[]) => Object.fromEntries(sizes.map((size) => [size, 1]));

const stableDiffusion: ImageRules = {
  sizes: even(['512x1024', '1024x768', '1024x1024', '576x1024', '1024x576']),
  most: 4,
  longestPrompt: 4000,
};

export const imageRules: Readonly<Record<string, ImageRules>> = {
  'dall-e-2': { sizes: { '256x256': 1, '512x512': 1.125, '1024x1024': 1.25 }, most: 10, longestPrompt: 1000 },
  'dall-e-3': { sizes: { '1024x1024': 1, '1024x1792': 2, '1792x1024': 2 }, most: 1, longestPrompt: 4000 },
  'ali-stable-diffusion-xl': stableDiffusion,
  'ali-stable-diffusion-v1.5': stableDiffusion,
  'wanx-v1': { sizes: even(['1024x1024', '720x1280', '1280x720']), most: 4, longestPrompt: 4000 },
  'step-1x-medium': {
    sizes: { ...square([256, 512, 768, 1024]), ...even(['1280x800', '800x1280']) },
    most: 1,
    longestPrompt: 4000,
  },
};

/** Tokens of OpenAI's first image models. */
const firstTokens = { low: [272, 408, 400], medium: [1056, 1584, 1568], high: [4160, 6240, 6208] } as const;
/** From the published prices of a square image: $0.006, $0.053 and $0.211 at $30 per million tokens. */
const secondTokens = { low: [200, 300, 300], medium: [1767, 2651, 2651], high: [7034, 10_551, 10_551] } as const;

/**
 * By name, also with a date or edition suffix. OpenAI's ratio is the price of an image token, Google's the price of a
 * prompt token. OpenAI's rates were compared with public copies of its price list; tokens by size and quality, and
 * Google's values, are commonly known figures.
 */
export const tokenRules: readonly [models: RegExp, rules: TokenRules][] = [
  [/^gpt-image-1-mini/, { output: 1, text: 2 / 8, image: 2.5 / 8, tokens: firstTokens }],
  [/^(?:gpt-image-1\.5|chatgpt-image)/, { output: 1, text: 5 / 32, image: 8 / 32, tokens: firstTokens }],
  [/^gpt-image-1(?![.\d])/, { output: 1, text: 5 / 40, image: 10 / 40, tokens: firstTokens }],
  [/^gpt-image-/, { output: 1, text: 5 / 30, image: 8 / 30, tokens: secondTokens, isByArea: true }],
  [/^gemini-2\.5-flash-image/, { output: 30 / 0.3, text: 1, image: 1, tokens: { any: [1290, 1290, 1290] } }],
  [/^gemini-3-pro-image/, { output: 120 / 2, text: 1, image: 1, tokens: { any: [2000, 2000, 2000] } }],
];

/** Models with one price for every size and quality. */
export const flatPriceModels = /^(?:cogview|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/;
