interface Rule {
  readonly applies: (model: string) => boolean;
  readonly ratio: number;
}

const startsWith = (prefix: string) => (model: string) => model.startsWith(prefix);
const isOneOf =
  (...names: string[]) =>
  (model: string) =>
    names.includes(model);

/** Completion ratios by model family; the first match applies. */
const completionRules: readonly Rule[] = [
  { applies: (model) => model === 'gpt-3.5-turbo' || /^gpt-3\.5.*0125$/.test(model), ratio: 3 },
  { applies: (model) => /^gpt-3\.5.*1106$/.test(model), ratio: 2 },
  { applies: startsWith('gpt-3.5'), ratio: 4 / 3 },
  { applies: isOneOf('gpt-4o-2024-05-13', 'chatgpt-4o-latest'), ratio: 3 },
  { applies: startsWith('gpt-4o'), ratio: 4 },
  { applies: (model) => model.startsWith('gpt-4-turbo') || /^gpt-4.*preview$/.test(model), ratio: 3 },
  { applies: startsWith('gpt-4'), ratio: 2 },
  { applies: (model) => /^o[13]/.test(model), ratio: 4 },
  { applies: startsWith('claude-3'), ratio: 5 },
  { applies: startsWith('claude-'), ratio: 3 },
  { applies: startsWith('mistral-'), ratio: 3 },
  { applies: startsWith('gemini-'), ratio: 3 },
  { applies: startsWith('deepseek-'), ratio: 2 },
  { applies: isOneOf('llama2-70b-4096'), ratio: 1.25 },
  { applies: isOneOf('llama3-8b-8192'), ratio: 2 },
  { applies: isOneOf('llama3-70b-8192'), ratio: 0.79 / 0.59 },
  { applies: isOneOf('command', 'command-light', 'command-nightly', 'command-light-nightly'), ratio: 2 },
  { applies: isOneOf('command-r', 'grok-beta'), ratio: 3 },
  { applies: isOneOf('command-r-plus'), ratio: 5 },
];

/** Price of a completion token in prompt tokens, by model family; 1 for an unknown family. */
export const completionRatioByRule = (model: string): number =>
  completionRules.find(({ applies }) => applies(model))?.ratio ?? 1;
