import * as z from 'zod/mini';
import { rowId } from '../wire/list.ts';

/** So many rows are changed by one call at most. */
export const mostBulkRows = 5000;

/** Which rows: those with these ids, or all that match a filter when the call is carried out. */
export const chosenRows = <Filter extends z.ZodMiniType>(filter: Filter) =>
  z.union([
    z.object({ ids: z.array(rowId).check(z.minLength(1), z.maxLength(mostBulkRows)) }),
    z.object({
      filter,
      /** How many the caller thinks there are; another number is refused, and nothing is changed. */
      count: z.int().check(z.minimum(1)),
    }),
  ]);

const bulkOutcome = z.enum(['changed', 'unchanged', 'failed']);

/** What becomes of one field of a row. Lists say what comes and goes, everything else what it was and is; long texts are cut. */
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
      /** Why it failed. */
      message: z.string(),
      changes: z.array(bulkFieldChange),
    }),
  ),
  /** Names what was found: given back with the call that carries it out, anything else is refused. */
  digest: z.string(),
  /** Takes the change back, for a day; empty when it cannot be taken back, or nothing was changed. */
  undo: z.string(),
});
export type BulkReport = z.infer<typeof bulkReport>;
export type BulkReportRow = BulkReport['rows'][number];

/** What every call for many rows takes beside the rows and the change. */
export const bulkManner = {
  /** Only says what would happen. */
  preview: z._default(z.boolean(), false),
  /** The digest of the preview that was looked at. */
  digest: z.optional(z.string().check(z.maxLength(100))),
} as const;

export const bulkUndo = z.object({ undo: z.string().check(z.minLength(1), z.maxLength(100)) });
