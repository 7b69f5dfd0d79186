import type { UsageClaim } from '../chat/usage-claim.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/** What is to be drawn, as far as it decides the price. */
export interface PictureWish {
  /** Width and height in pixels, joined by an x. */
  readonly size: string;
  /** Empty where the model may choose. */
  readonly quality: string;
  readonly description: string;
  /** Images that are given to be edited, masks among them. */
  readonly inputs: number;
  /** Unfinished images that are sent before each finished one. */
  readonly partialImages: number;
}

/** The fields that a client is told of when it asks for what a model does not draw. */
export const pictureFields = { count: 'n', size: 'size', description: 'prompt' } as const;

const usualSize = '1024x1024';
const mostPartialImages = 3;

/** `inputs`: how many images the request gives. */
export const readPictureWish = (body: JsonObject, inputs: number): PictureWish => ({
  size: textAt(body, pictureFields.size) || usualSize,
  quality: textAt(body, 'quality'),
  description: textAt(body, pictureFields.description),
  inputs,
  partialImages: Math.min(Math.max(Number(body['partial_images']) || 0, 0), mostPartialImages),
});

/** Whether pictures are to come as events, better and better ones; a form says it as text. */
export const wantsPictureEvents = ({ stream }: JsonObject): boolean => String(stream) === 'true';

/** Tokens that an upstream reports for images. */
export interface PictureUsage {
  readonly text: number;
  /** Of images that were given. */
  readonly image: number;
  readonly output: number;
}

/** Undefined where none, or no numbers, are reported. */
export function readPictureUsage({ usage }: JsonObject): PictureUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = usage['input_tokens'] ?? usage['prompt_tokens'];
  const output = usage['output_tokens'] ?? usage['completion_tokens'];
  if (!isCount(input) || !isCount(output)) return undefined;
  const details = usage['input_tokens_details'];
  const image = isObject(details) && isCount(details['image_tokens']) ? Math.min(details['image_tokens'], input) : 0;
  return { text: input - image, image, output };
}

/** The same of what an upstream reports in neutral words, which do not tell text from images that were given. */
export const pictureUsageOf = (claim: UsageClaim | undefined): PictureUsage | undefined =>
  claim && readPictureUsage({ usage: { input_tokens: claim.promptTokens, output_tokens: claim.completionTokens } });

/** Qualities that cost more where a model's own prices are not known. */
export const betterQualities: ReadonlySet<string> = new Set(['hd', 'high', 'ultra']);

/** How logs name what is reported of images. */
export const pictureClaimName = 'output_tokens';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
