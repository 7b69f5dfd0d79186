import { createHash } from 'node:crypto';
import type { BulkFieldChange, BulkReport } from '@headgate/contract';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';

/** What is to become of one row: changed, left as it is because it is so already, or left because it cannot be so. */
export interface PlannedRow {
  readonly id: number;
  readonly name: string;
  readonly refusal?: ApiError | undefined;
  readonly changes: readonly BulkFieldChange[];
}

export const isToChange = ({ refusal, changes }: PlannedRow): boolean => refusal === undefined && changes.length > 0;

/** Rows that were asked for and are not there. */
export function missingRows(ids: readonly number[], found: readonly { readonly id: number }[]): PlannedRow[] {
  const known = new Set(found.map(({ id }) => id));
  return [...new Set(ids)]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: '', refusal: new ApiError('notFound'), changes: [] }));
}

/** Plans for a row; a refusal is what becomes of it, every other failure ends the whole. */
export function planned<T extends PlannedRow>(row: { readonly id: number; readonly name: string }, plan: () => T) {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...row, refusal: error, changes: [] };
  }
}

/** Refuses to carry out what is not what somebody looked at. */
export function refuseOtherThanSeen(plan: readonly PlannedRow[], digest: string | undefined): void {
  if (digest !== undefined && digest !== digestOf(plan)) throw new ApiError('bulkOtherThanSeen');
}

/** Refuses when not as many rows match as the caller thinks. */
export function refuseOtherCount(found: number, expected: number): void {
  if (found === expected) return;
  throw new ApiError('bulkCountChanged', { now: String(found), expected: String(expected) });
}

export function reportOf(plan: readonly PlannedRow[], language: Language, undo = ''): BulkReport {
  const rows = plan.map(({ id, name, refusal, changes }) => ({
    id,
    name,
    outcome: refusal ? ('failed' as const) : changes.length > 0 ? ('changed' as const) : ('unchanged' as const),
    message: refusal?.messageIn(language) ?? '',
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

const digestOf = (plan: readonly PlannedRow[]): string =>
  createHash('sha256')
    .update(JSON.stringify(plan.map(({ id, refusal, changes }) => [id, refusal?.code, changes])))
    .digest('hex');
