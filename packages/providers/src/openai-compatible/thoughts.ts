import { isObject } from '@headgate/dialects';
import type { Provider } from '../provider.ts';

/** The longest that a model of these providers is known to think. */
const longestThoughts = 81_920;

/** For a provider whose limit is for the answer alone: how long the models of such names think beside it. */
export const thoughtsBeside =
  (names: RegExp): NonNullable<Provider['thoughtsBesideLimit']> =>
  ({ thinking, enable_thinking, thinking_budget, reasoning_effort }, model) => {
    const type = isObject(thinking) ? thinking['type'] : undefined;
    if (enable_thinking === false || type === 'disabled') return 0;
    const isAsked = enable_thinking === true || type !== undefined || typeof reasoning_effort === 'string';
    if (!isAsked && !names.test(model)) return 0;
    const isBudget = Number.isInteger(thinking_budget) && Number(thinking_budget) > 0;
    return isBudget ? Math.min(Number(thinking_budget), longestThoughts) : longestThoughts;
  };
