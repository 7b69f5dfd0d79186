import type { Provider } from '../provider.ts';

/** Longest known reasoning of these providers' models, in tokens. */
const maxReasoningTokens = 81_920;

/** Maximum reasoning tokens of matching models, in addition to a limit that excludes reasoning. */
export const extraReasoning =
  (names: RegExp): NonNullable<Provider['reasoningBeyondLimit']> =>
  ({ isOn, budget }, model) => {
    if (isOn === false || (!isOn && !names.test(model))) return 0;
    return Math.min(budget ?? maxReasoningTokens, maxReasoningTokens);
  };
