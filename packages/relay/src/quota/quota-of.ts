import { type Price, priceAt } from './price.ts';

/** Parts of the prompt and completion that may have separate prices. */
export interface TokenParts {
  /** Prompt tokens read from a cache. */
  readonly cached: number;
  /** Prompt tokens written to a cache. */
  readonly written: number;
  /** Written tokens that are cached for an hour. */
  readonly writtenLong: number;
  /** Completion tokens used for reasoning. */
  readonly reasoning: number;
  /** Cached tokens that are audio or images. */
  readonly cachedAudio?: number;
  readonly cachedImage?: number;
  /** Prompt tokens, neither cached nor written to a cache, that are audio or images. */
  readonly audio?: number;
  readonly image?: number;
  /** Completion tokens, without reasoning, that are audio or images. */
  readonly audioCompletion?: number;
  readonly imageCompletion?: number;
}

export interface TokenCount {
  readonly prompt: number;
  readonly completion: number;
  /** Absent if no parts are reported. */
  readonly parts?: TokenParts;
  /** Billable amounts that are not tokens but are priced like tokens: image units, characters, transcribed text. */
  readonly units?: number;
  /** How the gateway counted the usage; absent: reported by the upstream, or nothing to count. */
  readonly counted?: 'tokenizer' | 'estimate';
  /** Short description of an implausible value that the upstream reported. */
  readonly implausible?: string;
}

export const noTokens: TokenCount = { prompt: 0, completion: 0 };

/** Whole points, rounded up once; at least one for any use of a priced model, at most the largest safe integer. */
export function quotaOf(used: TokenCount, given: Price): number {
  const price = priceAt(given, used.prompt);
  const tokens = weightedPromptTokens(used, price) + completionWeight(used, price) * price.completion_ratio;
  return pointsFor(used, tokens, price);
}

/** Upper bound of the cost of these tokens, however many of them are cached or reasoning. */
export function maxQuotaOf(tokens: TokenCount, given: Price): number {
  const price = priceAt(given, tokens.prompt);
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1 } = price;
  const { audio_ratio = 1, cached_audio_ratio = 1, image_ratio = 1, cached_image_ratio = 1 } = price;
  const highest = Math.max(1, read, write, price.cache_long_write_ratio ?? 1);
  const { audio = 0, image = 0 } = tokens.parts ?? {};
  const surcharge = (count: number, ratio: number) => Math.min(count, tokens.prompt) * Math.max(0, ratio - highest);
  const media =
    surcharge(audio, Math.max(audio_ratio, read * cached_audio_ratio)) +
    surcharge(image, Math.max(image_ratio, read * cached_image_ratio));
  const response = tokens.completion * highestCompletionRatio(price);
  return pointsFor(tokens, tokens.prompt * highest + media + response, price);
}

/** Price of the most expensive completion token, in prompt tokens. */
export function highestCompletionRatio(price: Price): number {
  const { reasoning_ratio = 1, audio_completion_ratio = 1, image_completion_ratio = 1 } = price;
  return price.completion_ratio * Math.max(1, reasoning_ratio, audio_completion_ratio, image_completion_ratio);
}

function pointsFor({ prompt, completion, units = 0 }: TokenCount, weighted: number, price: Price): number {
  const ratio = price.model_ratio * price.group_ratio;
  const call = pointsPerRequest(price);
  if (prompt + completion + units <= 0 || ratio + call === 0) return 0;
  // Tolerates one part in a billion, so that 0.1 + 0.2 does not cost a point more than 0.3.
  const exact = (weighted + units) * ratio + call;
  return Math.min(Math.max(Math.ceil(exact - exact * 1e-9), 1), Number.MAX_SAFE_INTEGER);
}

/** Points of a request in addition to its tokens or units. */
export const pointsPerRequest = ({ call_points = 0, group_ratio }: Price): number => call_points * group_ratio;

/** The prompt in tokens at the base price. */
export function weightedPromptTokens({ prompt, parts }: TokenCount, price: Price): number {
  if (!parts) return prompt;
  const { cached, written, writtenLong, audio = 0, image = 0, cachedAudio = 0, cachedImage = 0 } = parts;
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1 } = price;
  const { cache_long_write_ratio: longWrite = write, audio_ratio = 1, image_ratio = 1 } = price;
  const { cached_audio_ratio = 1, cached_image_ratio = 1 } = price;
  const ofCache = cached + cachedAudio * (cached_audio_ratio - 1) + cachedImage * (cached_image_ratio - 1);
  const ofWrites = (written - writtenLong) * write + writtenLong * longWrite;
  const text = Math.max(prompt - cached - written - audio - image, 0);
  return text + ofCache * read + ofWrites + audio * audio_ratio + image * image_ratio;
}

/** The completion in tokens at its base price. */
function completionWeight({ completion, parts }: TokenCount, price: Price): number {
  if (!parts) return completion;
  const { reasoning_ratio = 1, audio_completion_ratio: sound = 1, image_completion_ratio: image = 1 } = price;
  const { reasoning, audioCompletion = 0, imageCompletion = 0 } = parts;
  return completion + reasoning * (reasoning_ratio - 1) + audioCompletion * (sound - 1) + imageCompletion * (image - 1);
}

/** Replaces the completion, which includes the reasoning. */
export function replaceCompletion(used: TokenCount, completion: number): TokenCount {
  const { parts } = used;
  return parts ? { ...used, completion, parts: capTokenParts(parts, completion) } : { ...used, completion };
}

/** Audio and image tokens of the prompt, at most as many as the request may contain; the rest costs as much as text. */
export function capMediaTokens(parts: TokenParts, most: TokenParts | undefined): TokenParts {
  const { audio = 0, image = 0, cachedAudio = 0, cachedImage = 0 } = parts;
  if (audio + image + cachedAudio + cachedImage === 0) return parts;
  const { audio: maxAudio = 0, image: maxImage = 0 } = most ?? {};
  const [sound, picture] = [Math.min(audio, maxAudio), Math.min(image, maxImage)];
  return {
    ...parts,
    audio: sound,
    image: picture,
    cachedAudio: Math.min(cachedAudio, maxAudio - sound),
    cachedImage: Math.min(cachedImage, maxImage - picture),
  };
}

/** Caps parts of a completion at the total. */
export function capTokenParts(parts: TokenParts, completion: number): TokenParts {
  const reasoning = Math.min(parts.reasoning, completion);
  const { audioCompletion, imageCompletion } = parts;
  if (!audioCompletion && !imageCompletion) return { ...parts, reasoning };
  const audio = Math.min(audioCompletion ?? 0, completion - reasoning);
  const image = Math.min(imageCompletion ?? 0, completion - reasoning - audio);
  return { ...parts, reasoning, audioCompletion: audio, imageCompletion: image };
}
