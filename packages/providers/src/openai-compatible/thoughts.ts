import type { Provider } from '../provider.ts';

/** The longest that a model of these providers is known to think. */
const longestThoughts = 81_920;

/** For a provider whose limit is for the answer alone: how long the models of such names think beside it. */
export const thoughtsBeside =
  (names: RegExp): NonNullable<Provider['thoughtsBesideLimit']> =>
  ({ isOn, budget }, model) => {
    if (isOn === false || (!isOn && !names.test(model))) return 0;
    return Math.min(budget ?? longestThoughts, longestThoughts);
  };
