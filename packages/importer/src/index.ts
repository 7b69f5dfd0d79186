export { ImportError } from './import-error.ts';
export type { ImportedBudget, ImportedLimit, LitellmOwner } from './litellm/litellm-budgets.ts';
export type { ImportedOrganizations, TokenPayer } from './litellm/litellm-organizations.ts';
export type { SpendContext } from './litellm/map-spend-log.ts';
export { type LogContext, type LogSkip, mapLog } from './mapping/map-log.ts';
export type { ImportedOption } from './mapping/map-options.ts';
export { reportLines } from './plan/import-tally.ts';
export { type ImportPlan, planImport } from './plan/plan-import.ts';
export type { ImportedPayments } from './plan/plan-payments.ts';
export type { PlannedUser } from './plan/plan-users.ts';
export { configFileSource, isConfigFile, openSource } from './source/open-source.ts';
export {
  type ImportSource,
  type LogId,
  type OneApiSourceKind,
  type SourceKind,
  type SourceLimits,
  sourceKinds,
} from './source/source.ts';
export { escapeControlCharacters } from './source/source-errors.ts';
export type { ImportedIds, ImportedKind, TargetAccount, TargetRules, TargetState } from './target.ts';
