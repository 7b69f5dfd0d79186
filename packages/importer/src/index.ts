export { ImportError } from './import-error.ts';
export { type LogSurroundings, mapLog } from './mapping/map-log.ts';
export { reportLines } from './plan/import-tally.ts';
export { type ImportPlan, planImport } from './plan/plan-import.ts';
export type { PlannedUser } from './plan/plan-users.ts';
export { openSource } from './source/open-source.ts';
export { printable } from './source/printable.ts';
export { type ImportSource, type SourceKind, type SourceLimits, sourceKinds } from './source/source.ts';
export type { Here, ImportedIds, ImportedKind, TargetAccount, TargetChannel, TargetRules } from './target.ts';
