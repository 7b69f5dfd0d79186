import { type Price, priceAt } from './price.ts';

/** Parts of the prompt and of the completion that may have prices of their own. */
export interface TokenParts {
  /** Of the prompt: read from a cache. */
  readonly cached: number;
  /** Of the prompt: written into a cache. */
  readonly written: number;
  /** Of what was written: kept for an hour. */
  readonly writtenLong: number;
  /** Of the completion: thoughts. */
  readonly reasoning: number;
}

export interface TokenCount {
  readonly prompt: number;
  readonly completion: number;
  /** Absent where none are told. */
  readonly parts?: TokenParts;
  /** What is not counted in tokens but costs like one: parts of a picture, characters, text heard. */
  readonly units?: number;
  /** How it was counted here; absent: the upstream told, or there was nothing to count. */
  readonly counted?: 'tokenizer' | 'estimate';
  /** What the upstream told and cannot be, in a few words. */
  readonly implausible?: string;
}

export const noTokens: TokenCount = { prompt: 0, completion: 0 };

/** Whole points, rounded up once; at least one when anything was used at a price, never more than a safe integer. */
export function quotaOf(used: TokenCount, given: Price): number {
  const price = priceAt(given, used.prompt);
  const tokens = promptWeight(used, price) + completionWeight(used, price) * price.completion_ratio;
  return pointsFor(used, tokens, price);
}

/** No such count of tokens costs more, whichever of them have to do with a cache or are thoughts. */
export function mostQuotaOf(tokens: TokenCount, given: Price): number {
  const price = priceAt(given, tokens.prompt);
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1, reasoning_ratio: thought = 1 } = price;
  const dearest = Math.max(1, read, write, price.cache_long_write_ratio ?? 1);
  const answer = tokens.completion * price.completion_ratio * Math.max(1, thought);
  return pointsFor(tokens, tokens.prompt * dearest + answer, price);
}

function pointsFor({ prompt, completion, units = 0 }: TokenCount, weighted: number, price: Price): number {
  const ratio = price.model_ratio * price.group_ratio;
  if (prompt + completion + units <= 0 || ratio === 0) return 0;
  // A part in a billion of slack: 0.1 + 0.2 must not cost a point more than 0.3.
  const exact = (weighted + units) * ratio;
  return Math.min(Math.max(Math.ceil(exact - exact * 1e-9), 1), Number.MAX_SAFE_INTEGER);
}

/** The prompt in tokens of the usual price. */
export function promptWeight({ prompt, parts }: TokenCount, price: Price): number {
  if (!parts) return prompt;
  const { cached, written, writtenLong } = parts;
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1 } = price;
  const { cache_long_write_ratio: longWrite = write } = price;
  return prompt + cached * (read - 1) + (written - writtenLong) * (write - 1) + writtenLong * (longWrite - 1);
}

/** The completion in tokens of its usual price. */
const completionWeight = ({ completion, parts }: TokenCount, { reasoning_ratio = 1 }: Price): number =>
  parts ? completion + parts.reasoning * (reasoning_ratio - 1) : completion;

/** The same with another completion, of which the thoughts are a part. */
export function withCompletion(used: TokenCount, completion: number): TokenCount {
  const { parts } = used;
  if (!parts) return { ...used, completion };
  return { ...used, completion, parts: { ...parts, reasoning: Math.min(parts.reasoning, completion) } };
}
