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
  /** Uncached prompt tokens that are audio. */
  readonly audio?: number;
  /** Completion tokens, without reasoning, that are audio or images. */
  readonly audioCompletion?: number;
  readonly imageCompletion?: number;
}

export interface TokenCount {
  readonly prompt: number;
  readonly completion: number;
  /** Absent when no parts are reported. */
  readonly parts?: TokenParts;
  /** Billable amounts that are not tokens but priced like them: image units, characters, transcribed text. */
  readonly units?: number;
  /** How the gateway counted the usage; absent: reported by the upstream, or nothing to count. */
  readonly counted?: 'tokenizer' | 'estimate';
  /** Short description of an implausible figure that the upstream reported. */
  readonly implausible?: string;
}

export const noTokens: TokenCount = { prompt: 0, completion: 0 };

/** Whole points, rounded up once; at least one for any use of a priced model, at most the largest safe integer. */
export function quotaOf(used: TokenCount, given: Price): number {
  const price = priceAt(given, used.prompt);
  const tokens = promptWeight(used, price) + completionWeight(used, price) * price.completion_ratio;
  return pointsFor(used, tokens, price);
}

/** Upper bound of the cost of these tokens, however many of them are cached or reasoning. */
export function maxQuotaOf(tokens: TokenCount, given: Price): number {
  const price = priceAt(given, tokens.prompt);
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1, reasoning_ratio: thought = 1 } = price;
  const { audio_ratio = 1, audio_completion_ratio: sound = 1, image_completion_ratio: image = 1 } = price;
  const highestRatio = Math.max(1, read, write, price.cache_long_write_ratio ?? 1);
  const audio = Math.min(tokens.parts?.audio ?? 0, tokens.prompt) * Math.max(0, audio_ratio - highestRatio);
  const response = tokens.completion * price.completion_ratio * Math.max(1, thought, sound, image);
  return pointsFor(tokens, tokens.prompt * highestRatio + audio + response, price);
}

function pointsFor({ prompt, completion, units = 0 }: TokenCount, weighted: number, price: Price): number {
  const ratio = price.model_ratio * price.group_ratio;
  if (prompt + completion + units <= 0 || ratio === 0) return 0;
  // Tolerates one part in a billion, so that 0.1 + 0.2 does not cost a point more than 0.3.
  const exact = (weighted + units) * ratio;
  return Math.min(Math.max(Math.ceil(exact - exact * 1e-9), 1), Number.MAX_SAFE_INTEGER);
}

/** The prompt in tokens at the base price. */
export function promptWeight({ prompt, parts }: TokenCount, price: Price): number {
  if (!parts) return prompt;
  const { cached, written, writtenLong, audio = 0 } = parts;
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1 } = price;
  const { cache_long_write_ratio: longWrite = write, audio_ratio = 1 } = price;
  const ofCache = cached * (read - 1) + (written - writtenLong) * (write - 1) + writtenLong * (longWrite - 1);
  return prompt + ofCache + audio * (audio_ratio - 1);
}

/** The completion in tokens at its base price. */
function completionWeight({ completion, parts }: TokenCount, price: Price): number {
  if (!parts) return completion;
  const { reasoning_ratio = 1, audio_completion_ratio: sound = 1, image_completion_ratio: image = 1 } = price;
  const { reasoning, audioCompletion = 0, imageCompletion = 0 } = parts;
  return completion + reasoning * (reasoning_ratio - 1) + audioCompletion * (sound - 1) + imageCompletion * (image - 1);
}

/** Replaces the completion, which includes the reasoning. */
export function withCompletion(used: TokenCount, completion: number): TokenCount {
  const { parts } = used;
  return parts ? { ...used, completion, parts: capParts(parts, completion) } : { ...used, completion };
}

/** Caps parts of a completion at the total. */
export function capParts(parts: TokenParts, completion: number): TokenParts {
  const reasoning = Math.min(parts.reasoning, completion);
  const { audioCompletion, imageCompletion } = parts;
  if (!audioCompletion && !imageCompletion) return { ...parts, reasoning };
  const audio = Math.min(audioCompletion ?? 0, completion - reasoning);
  const image = Math.min(imageCompletion ?? 0, completion - reasoning - audio);
  return { ...parts, reasoning, audioCompletion: audio, imageCompletion: image };
}
