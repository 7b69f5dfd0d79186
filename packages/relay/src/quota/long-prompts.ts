/** What a provider charges for all of a request whose prompt is long, as multiples of its usual prices. */
export interface LongPromptRates {
  /** Tokens of the prompt, what came from a cache included. */
  readonly above: number;
  readonly prompt: number;
  readonly completion: number;
}

/**
 * Compared in 2026 with what others repeat of the price lists of Anthropic, Google, OpenAI and xAI. Gemini 1.5 was not: Google
 * lists it no more.
 */
const rates: readonly [name: RegExp, rates: LongPromptRates][] = [
  // Claude reads so much where `anthropic-beta: context-1m-…` asks for it; from 4.6 on at no other price.
  [/claude-sonnet-4(?![.-][6-9])/i, { above: 200_000, prompt: 2, completion: 1.5 }],
  // All that the name of the latest has stood for since 2.5.
  [/gemini-(?:(?:2\.5|3(?:\.\d)?)-pro|pro-latest)/i, { above: 200_000, prompt: 2, completion: 1.5 }],
  [/gemini-1\.5-/i, { above: 128_000, prompt: 2, completion: 2 }],
  [/gpt-5\.[45](?!-(?:mini|nano))/i, { above: 272_000, prompt: 2, completion: 1.5 }],
  [/grok-4\.5/i, { above: 200_000, prompt: 2, completion: 2 }],
  [/grok-4(?![.\d])/i, { above: 128_000, prompt: 2, completion: 2 }],
];

/** Undefined: a token costs the same in every prompt, as far as is known here. */
export const longPromptRates = (model: string): LongPromptRates | undefined =>
  rates.find(([name]) => name.test(model))?.[1];
