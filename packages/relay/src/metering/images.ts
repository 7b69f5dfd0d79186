import {
  type ImageSettings,
  type ImageTokenUsage,
  imageFields,
  imageUsageName,
  premiumQualities,
  readImageSettings,
} from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UsageEstimate } from './estimated-usage.ts';

const unitsPerImage = 1000;
const maxImages = 10;
const usualArea = 1024 * 1024;
/** Pixels of an 8192 × 8192 image. */
const largestArea = 64 * usualArea;
/** Price factor of the higher quality for models without published prices. */
const betterQuality = 2;

/** Tokens of an input image: typical and maximum. */
const usualInputTokens = 1000;
const maxInputTokens = 8000;
const tokensPerPartialImage = 100;

/**
 * Estimates the usage of images, in units of the model's token price. Rejects sizes that the model does not support.
 */
export function estimateImages({ model, choiceCount, body, form = [] }: RelayRequest): UsageEstimate {
  if (typeof (body[imageFields.size] ?? '') !== 'string') throw rejectedFieldError(imageFields.size, 'must be text');
  const request = readImageSettings(body, form.filter(({ value }) => typeof value !== 'string').length);
  checkSettings(model, choiceCount, request);
  const rules = tokenRulesOf(model);
  if (!rules) {
    const used = unitsOf(imageUnits(model, request) * choiceCount);
    return { most: used, least: undefined, used };
  }
  const drawn = imageTokens(rules, request) * choiceCount * rules.output;
  const text = Buffer.byteLength(request.description) * rules.text;
  const partial = request.partialImages * tokensPerPartialImage * choiceCount * rules.output;
  const used = unitsOf(drawn + partial + text + request.inputs * usualInputTokens * rules.image);
  const most = unitsOf(drawn + partial + text + request.inputs * maxInputTokens * rules.image);
  return { most, least: undefined, used: { ...used, counted: 'estimate' } };
}

/** Reported usage above this multiple of the reservation is implausible. */
const maxReserveMultiple = 4;

/** Image usage reported by the upstream; undefined without a report, or if the model is not charged by tokens. */
export function imageUsage(
  usage: ImageTokenUsage | undefined,
  model: string,
  { most, used }: UsageEstimate,
): TokenCount | undefined {
  const rules = tokenRulesOf(model);
  if (!rules || !usage) return undefined;
  const { text, image, output } = usage;
  const units = output * rules.output + text * rules.text + image * rules.image;
  const isPossible = output >= fewestTokens(rules) && units <= (most.units ?? 0) * maxReserveMultiple;
  return isPossible ? unitsOf(units) : { ...used, implausible: `${imageUsageName} ${output}` };
}

/**
 * Like `imageUsage`, for streamed images. With several images, it is unknown whether the last event reports all of
 * them.
 */
export const streamedImageUsage = (
  usage: ImageTokenUsage | undefined,
  { choiceCount, model }: Pick<RelayRequest, 'choiceCount' | 'model'>,
  estimate: UsageEstimate,
): TokenCount => (choiceCount === 1 ? imageUsage(usage, model, estimate) : undefined) ?? estimate.used;

const unitsOf = (units: number): TokenCount => ({ ...noTokens, units: Math.ceil(units) });

const tokenRulesOf = (model: string): TokenRules | undefined => tokenRules.find(([models]) => models.test(model))?.[1];

const fewestTokens = ({ tokens }: TokenRules): number => Math.min(...Object.values(tokens).flat());

/** Tokens of the most expensive size and quality that the request may select. */
function imageTokens({ tokens, isByArea }: TokenRules, { size, quality }: ImageSettings): number {
  const [square, upright, wide] = ownValue(tokens, quality) ?? tokens['high'] ?? tokens['any'] ?? [0, 0, 0];
  const [width, height] = sidesOf(size) ?? [0, 0];
  if (width === 0) return Math.max(square, upright, wide);
  if (isByArea) return Math.ceil((square * width * height) / usualArea);
  return width === height ? square : width < height ? upright : wide;
}

/** Maximum length of a size; every valid size is shorter. */
const maxSizeLength = 40;

function checkSettings(model: string, count: number, { size, description }: ImageSettings): void {
  const rules = ownValue(imageRules, model);
  const max = rules?.most ?? maxImages;
  if (count > max) throw rejectedFieldError(imageFields.count, `${model} generates at most ${max} images per request`);
  if (rules && description.length > rules.longestPrompt)
    throw rejectedFieldError(
      imageFields.description,
      `The prompt for ${model} must have at most ${rules.longestPrompt} characters`,
    );
  const [width, height] = sidesOf(size) ?? [0, 0];
  const isDrawn = rules
    ? Object.hasOwn(rules.sizes, size)
    : size.length <= maxSizeLength && width * height <= largestArea;
  if (!isDrawn)
    throw rejectedFieldError(imageFields.size, `${model} does not support size ${size.slice(0, maxSizeLength)}`);
}

/** Units of one image of a model that is charged per image. */
function imageUnits(model: string, { size, quality }: ImageSettings): number {
  const isBetter = premiumQualities.has(quality);
  const rules = ownValue(imageRules, model);
  if (rules) {
    const ratio = ownValue(rules.sizes, size) ?? 1;
    const fineness = isBetter && model === 'dall-e-3' ? (size === '1024x1024' ? 2 : 1.5) : 1;
    return Math.round(unitsPerImage * ratio * fineness);
  }
  if (flatPriceModels.test(model)) return unitsPerImage;
  const [width, height] = sidesOf(size) ?? [0, 0];
  const area = Math.max(1, (width * height) / usualArea);
  return Math.ceil(unitsPerImage * area * (isBetter ? betterQuality : 1));
}

/**
 * Width and height of a size given in pixels or as 2K or similar; undefined for anything else. Accepts every spelling
 * that an upstream may accept.
 */
function sidesOf(text: string): readonly [width: number, height: number] | undefined {
  const size = text.slice(0, maxSizeLength).normalize('NFKC').trim();
  const [, width, height] = /(\d{1,40})\D{1,3}(\d{1,40})/.exec(size) ?? [];
  if (width && height) return [Number(width), Number(height)];
  const thousands = Number(/^(\d{1,2})k$/i.exec(size)?.[1] ?? 0);
  return thousands > 0 ? [thousands * 1024, thousands * 1024] : undefined;
}

/** Ignores inherited properties, because the key comes from the client. */
const ownValue = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const rejectedFieldError = (param: string, message: string) =>
  new RelayError(400, `${param}: ${message}`, null, 'invalid_request_error');

/** Sizes and qualities that a model supports, if its vendor documents them. */
interface ImageRules {
  /** Multiples of the price of the smallest or default size. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly most: number;
  readonly longestPrompt: number;
}

/**
 * Rules for a model whose images are charged by tokens. All weights are in units of the price of one token at the
 * model's ratio.
 */
interface TokenRules {
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

const imageRules: Readonly<Record<string, ImageRules>> = {
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
 * By name, with or without a date or edition suffix. OpenAI's ratio is the price of an image token, Google's the price
 * of a prompt token. OpenAI's rates were compared with public copies of its price list; tokens by size and quality, and
 * Google's values, are commonly known.
 */
const tokenRules: readonly [models: RegExp, rules: TokenRules][] = [
  [/^gpt-image-1-mini/, { output: 1, text: 2 / 8, image: 2.5 / 8, tokens: firstTokens }],
  [/^(?:gpt-image-1\.5|chatgpt-image)/, { output: 1, text: 5 / 32, image: 8 / 32, tokens: firstTokens }],
  [/^gpt-image-1(?![.\d])/, { output: 1, text: 5 / 40, image: 10 / 40, tokens: firstTokens }],
  [/^gpt-image-/, { output: 1, text: 5 / 30, image: 8 / 30, tokens: secondTokens, isByArea: true }],
  [/^gemini-2\.5-flash-image/, { output: 30 / 0.3, text: 1, image: 1, tokens: { any: [1290, 1290, 1290] } }],
  [/^gemini-3-pro-image/, { output: 120 / 2, text: 1, image: 1, tokens: { any: [2000, 2000, 2000] } }],
];

/** Models with one price for every size and quality. */
const flatPriceModels = /^(?:cogview|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/;
