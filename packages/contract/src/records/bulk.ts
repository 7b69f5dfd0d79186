import * as z from 'zod/mini';
import { rowId } from '../wire/list.ts';

/** Maximum number of rows of one bulk change. */
export const maxBulkRows = 5000;

/** Selects rows by ids, or all rows that match a filter when the change is applied. */
export const rowSelection = <Filter extends z.ZodMiniType>(filter: Filter) =>
  z.union([
    z.object({ ids: z.array(rowId).check(z.minLength(1), z.maxLength(maxBulkRows)) }),
    z.object({
      filter,
      /** Number of rows that the caller expects. If it differs, the call fails without changes. */
      count: z.int().check(z.minimum(1)),
    }),
  ]);

const bulkOutcome = z.enum(['changed', 'unchanged', 'failed']);

/**
 * Change to one field. Lists show added and removed entries, other fields the values before and after. Long texts are
 * truncated.
 */
export const bulkFieldChange = z.object({
  field: z.string(),
  before: z.string(),
  after: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
});
export type BulkFieldChange = z.infer<typeof bulkFieldChange>;

export const bulkReport = z.object({
  changed: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  rows: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      outcome: bulkOutcome,
      /** Reason why the row failed. */
      message: z.string(),
      changes: z.array(bulkFieldChange),
    }),
  ),
  /** Digest of the preview. Applying it fails if the result would differ. */
  digest: z.string(),
  /** Undo token, valid for a day; empty if the change cannot be undone or nothing was changed. */
  undo: z.string(),
});
export type BulkReport = z.infer<typeof bulkReport>;
export type BulkReportRow = BulkReport['rows'][number];

/** Fields of every bulk request, in addition to the rows and the change. */
export const bulkMode = {
  /** Previews the changes without applying them. */
  preview: z._default(z.boolean(), false),
  /** Digest of the preview to apply. */
  digest: z.optional(z.string().check(z.maxLength(100))),
} as const;

export const bulkUndo = z.object({ undo: z.string().check(z.minLength(1), z.maxLength(100)) });
