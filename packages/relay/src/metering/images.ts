import { type PictureWish, pictureFields } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';

interface ImageRules {
  /** How many times the price of the smallest or usual size. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly most: number;
  readonly longestPrompt: number;
}

const square = (sides: readonly number[]) => Object.fromEntries(sides.map((side) => [`${side}x${side}`, 1]));
const even = (sizes: readonly string[]) => Object.fromEntries(sizes.map((size) => [size, 1]));

const stableDiffusion: ImageRules = {
  sizes: even(['512x1024', '1024x768', '1024x1024', '576x1024', '1024x576']),
  most: 4,
  longestPrompt: 4000,
};

/** What the known models draw; any other takes what it is asked for. */
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

const unitsPerImage = 1000;
const mostImages = 10;

/** What pictures cost, in the unit that a token of the model costs. Refuses what the model does not draw. */
export function imageUnits(model: string, count: number, { size, isFine, description }: PictureWish): number {
  const rules = Object.hasOwn(imageRules, model) ? imageRules[model] : undefined;
  if (count > (rules?.most ?? mostImages))
    throw refused(pictureFields.count, `${model} draws at most ${rules?.most ?? mostImages} images at once`);
  if (rules && description.length > rules.longestPrompt) {
    throw refused(
      pictureFields.description,
      `The prompt of ${model} may have at most ${rules.longestPrompt} characters`,
    );
  }
  const ratio = rules === undefined ? 1 : rules.sizes[size];
  if (ratio === undefined) throw refused(pictureFields.size, `${model} does not draw the size ${size}`);
  const fineness = isFine && model === 'dall-e-3' ? (size === '1024x1024' ? 2 : 1.5) : 1;
  return Math.round(unitsPerImage * ratio * fineness) * count;
}

const refused = (param: string, message: string) =>
  new RelayError(400, `${param}: ${message}`, null, 'invalid_request_error');
