import type { Provider } from '../provider.ts';

/** The longest that a model of these providers is known to think. */
const longestThoughts = 81_920;

/** How many tokens models of such names think beside a limit that is for the answer alone. */
export const thoughtsBeside =
  (names: RegExp): NonNullable<Provider['thoughtsBesideLimit']> =>
  ({ isOn, budget }, model) => {
    if (isOn === false || (!isOn && !names.test(model))) return 0;
    return Math.min(budget ?? longestThoughts, longestThoughts);
  };
