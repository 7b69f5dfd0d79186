import type { UsageClaim } from '../chat/usage-claim.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/** Image settings that determine the price. */
export interface ImageSettings {
  /** Width and height in pixels, joined by an x. */
  readonly size: string;
  /** Empty: the model's default. */
  readonly quality: string;
  readonly description: string;
  /** Input images, including masks. */
  readonly inputs: number;
  /** Partial images sent before each final one. */
  readonly partialImages: number;
}

/** Field names for error messages about unsupported images. */
export const imageFields = { count: 'n', size: 'size', description: 'prompt' } as const;

const usualSize = '1024x1024';
const maxPartialImages = 3;

/** `inputs`: number of input images. */
export const readImageSettings = (body: JsonObject, inputs: number): ImageSettings => ({
  size: textAt(body, imageFields.size) || usualSize,
  quality: textAt(body, 'quality'),
  description: textAt(body, imageFields.description),
  inputs,
  partialImages: Math.min(Math.max(Number(body['partial_images']) || 0, 0), maxPartialImages),
});

/** Whether partial images are streamed; a form has the value as text. */
export const wantsImageEvents = ({ stream }: JsonObject): boolean => String(stream) === 'true';

/** Token usage of images as reported by an upstream. */
export interface ImageTokenUsage {
  readonly text: number;
  /** Of input images. */
  readonly image: number;
  readonly output: number;
}

/** Undefined when there is no usage or it is not numeric. */
export function readImageTokenUsage({ usage }: JsonObject): ImageTokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = usage['input_tokens'] ?? usage['prompt_tokens'];
  const output = usage['output_tokens'] ?? usage['completion_tokens'];
  if (!isCount(input) || !isCount(output)) return undefined;
  const details = usage['input_tokens_details'];
  const image = isObject(details) && isCount(details['image_tokens']) ? Math.min(details['image_tokens'], input) : 0;
  return { text: input - image, image, output };
}

/** Converts neutral usage, which does not separate text from input images. */
export const imageTokenUsageOf = (claim: UsageClaim | undefined): ImageTokenUsage | undefined =>
  claim && readImageTokenUsage({ usage: { input_tokens: claim.promptTokens, output_tokens: claim.completionTokens } });

/** Higher-priced qualities of models without known prices. */
export const betterQualities: ReadonlySet<string> = new Set(['hd', 'high', 'ultra']);

/** Name of image usage in logs. */
export const imageUsageName = 'output_tokens';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
