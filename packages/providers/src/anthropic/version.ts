import { claudeVersion } from '../claude-version.ts';

/** Up to 4.5: how long to think is told in tokens. */
export const hasFixedBudget = (model: string): boolean => (claudeVersion(model) ?? newest) < 406;

/** Whether a model takes only an effort: from 4.7 on. */
export const hasEffortOnly = (model: string): boolean => (claudeVersion(model) ?? 0) >= 407;

/** Before 3.7 none could. */
export const canThink = (model: string): boolean => (claudeVersion(model) ?? newest) >= 307;

/** Whether arguments can be held to their schema: from 4.5 on. */
export const canBeStrict = (model: string): boolean => (claudeVersion(model) ?? 0) >= 405;

/** Instructions may stand among the messages; so far that is Opus alone. */
export const takesSystemInside = (model: string): boolean =>
  model.includes('opus') && (claudeVersion(model) ?? 0) >= 408;

const newest = 9999;
