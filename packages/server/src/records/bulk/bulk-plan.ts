import { createHash } from 'node:crypto';
import type { BulkFieldChange, BulkReport } from '@headgate/contract';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';

/** Changed columns of one row. */
export interface UndoRow {
  readonly id: number;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Planned result for one row: changes, no changes because the row already matches, or an error. */
export interface RowPlan {
  readonly id: number;
  readonly name: string;
  readonly error?: ApiError | undefined;
  readonly changes: readonly BulkFieldChange[];
}

export const hasChanges = ({ error, changes }: RowPlan): boolean => error === undefined && changes.length > 0;

/** Errors for requested ids that do not exist. */
export function missingRows(ids: readonly number[], found: readonly { readonly id: number }[]): RowPlan[] {
  const known = new Set(found.map(({ id }) => id));
  return [...new Set(ids)]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: '', error: new ApiError('notFound'), changes: [] }));
}

/** Plans one row. An ApiError becomes the result of the row; any other error aborts the whole operation. */
export function planBulkRow<T extends RowPlan>(row: { readonly id: number; readonly name: string }, plan: () => T) {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...row, error, changes: [] };
  }
}

/** Rejects a plan that differs from the previewed one. */
export function requireUnchangedPlan(plan: readonly RowPlan[], digest: string | undefined): void {
  if (digest !== undefined && digest !== digestOf(plan)) throw new ApiError('bulkOtherThanSeen');
}

/** Rejects a filter that matches a different number of rows than the caller expects. */
export function requireExpectedCount(found: number, expected: number): void {
  if (found === expected) return;
  throw new ApiError('bulkCountChanged', { now: String(found), expected: String(expected) });
}

export function bulkReport(plan: readonly RowPlan[], language: Language, undo = ''): BulkReport {
  const rows = plan.map(({ id, name, error, changes }) => ({
    id,
    name,
    outcome: error ? ('failed' as const) : changes.length > 0 ? ('changed' as const) : ('unchanged' as const),
    message: error?.messageIn(language) ?? '',
    changes: [...changes],
  }));
  const count = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length;
  return {
    changed: count('changed'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    rows,
    digest: digestOf(plan),
    undo,
  };
}

const digestOf = (plan: readonly RowPlan[]): string =>
  createHash('sha256')
    .update(JSON.stringify(plan.map(({ id, error, changes }) => [id, error?.code, changes])))
    .digest('hex');
