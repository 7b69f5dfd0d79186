import { claudeVersion } from '../claude-version.ts';

/** Whether reasoning has a token budget: up to 4.5. */
export const hasFixedBudget = (model: string): boolean => (claudeVersion(model) ?? newest) < 406;

/** Whether a model accepts only an effort: from 4.7 on. */
export const hasEffortOnly = (model: string): boolean => (claudeVersion(model) ?? 0) >= 407;

/** Whether a model can reason: from 3.7 on. */
export const canReason = (model: string): boolean => (claudeVersion(model) ?? newest) >= 307;

/** Whether arguments can be bound to their schema: from 4.5 on. */
export const canBeStrict = (model: string): boolean => (claudeVersion(model) ?? 0) >= 405;

/** Whether system messages may be inline; so far only with Opus. */
export const acceptsInlineSystem = (model: string): boolean =>
  model.includes('opus') && (claudeVersion(model) ?? 0) >= 408;

const newest = 9999;
