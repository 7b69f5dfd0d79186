/** Prices of requests with long prompts, as multiples of the usual prices. */
export interface LongPromptRates {
  /** Prompt tokens, including cached ones. */
  readonly above: number;
  readonly prompt: number;
  readonly completion: number;
}

const from = (above: number, prompt: number, completion: number): LongPromptRates => ({ above, prompt, completion });

/**
 * Highest thresholds last. Compared in 2026 with public copies of the price lists of Anthropic, Google, OpenAI, xAI
 * and Alibaba, except Gemini 1.5, which Google no longer lists.
 */
const rates: readonly [name: RegExp, rates: readonly LongPromptRates[]][] = [
  // Claude reads prompts of this length with `anthropic-beta: context-1m-…`; from 4.6 on at the usual price.
  [/claude-sonnet-4(?![.-][6-9])/i, [from(200_000, 2, 1.5)]],
  [/claude-haiku-5-5/i, [from(100_000, 5, 5)]],
  // Includes the `latest` name: every model it has pointed to since 2.5 has this price.
  [/gemini-(?:(?:2\.5|3(?:\.\d)?)-pro|pro-latest)/i, [from(200_000, 2, 1.5)]],
  [/gemini-1\.5-/i, [from(128_000, 2, 2)]],
  [/gpt-(?:5\.[4-6]|6)(?!-(?:mini|nano))/i, [from(272_000, 2, 1.5)]],
  [/grok-(?:4\.|build-|code-fast)/i, [from(200_000, 2, 2)]],
  [/grok-4(?![.\d])/i, [from(128_000, 2, 2)]],
  [/qwen3-max/i, [from(32_000, 2, 2), from(128_000, 2.5, 2.5)]],
  [/qwen3-coder-plus/i, [from(32_000, 1.8, 1.8), from(128_000, 3, 3), from(256_000, 6, 12)]],
  [/qwen-flash/i, [from(256_000, 5, 5)]],
  [/qwen3\.6-plus/i, [from(256_000, 4, 2)]],
];

/** Undefined if no separate price for long prompts is known. */
export const longPromptRates = (model: string): readonly LongPromptRates[] | undefined =>
  rates.find(([name]) => name.test(model))?.[1];
