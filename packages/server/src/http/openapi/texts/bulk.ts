import type { OperationText, SchemaText, SchemaTexts } from './types.ts';

/** Descriptions of the two bulk operations of a list. */
export const bulkOperations = (things: string, which = ''): Readonly<Record<'run' | 'undo', OperationText>> => ({
  run: {
    summary: `Change many ${things}`,
    description: `Changes up to 5,000 ${[things, which].filter(Boolean).join(' ')} in one call, or previews the change. Rows that cannot be changed are reported and skipped.`,
  },
  undo: {
    summary: `Undo a bulk change of ${things}`,
    description: 'Reverts a bulk change within a day. Fails if one of the rows has changed since.',
  },
});

/** Descriptions of the two export operations of a list. */
export const exportOperations = (things: string, extra = ''): Readonly<Record<'all' | 'chosen', OperationText>> => ({
  all: {
    summary: `Export ${things}`,
    description: `Streams all ${things} that match the filters as a file, newest first.${extra}`,
  },
  chosen: {
    summary: `Export selected ${things}`,
    description: `Streams the ${things} with the given IDs as a file, newest first. Unknown IDs are skipped.${extra}`,
  },
});

const request = (things: string, filter: object): SchemaText => ({
  description: `A bulk change of ${things}.`,
  example: { digest: undefined, preview: true, ...filter },
});

/** The three schemas that every bulk operation has under its own name. */
const requestTexts = (prefix: string, things: string): SchemaTexts => ({
  [`${prefix}BulkRunRequest`]: request(things, {}),
  [`${prefix}BulkRunRequestChosenIds`]: {
    description: `Selects ${things} by ID.`,
    fields: { ids: `IDs of the ${things}, at most 5,000.` },
  },
  [`${prefix}BulkRunRequestChosenFilter`]: {
    description: `Selects all ${things} that match a filter when the call is executed.`,
    example: { count: 2 },
  },
});

export const bulkSchemas: SchemaTexts = {
  ...requestTexts('User', 'users'),
  ...requestTexts('Token', 'API tokens'),
  ...requestTexts('Channel', 'channels'),
  ...requestTexts('Redemption', 'redemption codes'),
  BulkReport: {
    description: 'Result of a bulk change or its preview.',
    fields: {
      changed: 'Number of rows changed.',
      unchanged: 'Number of rows that already had the new values.',
      failed: 'Number of rows that could not be changed.',
      rows: 'One entry per row.',
      digest: 'Digest of the result. Send it with the call that applies a preview.',
      undo: 'Token for the undo operation, valid for a day. Empty: nothing to undo, or the change cannot be undone.',
    },
    example: { changed: 1, unchanged: 0, failed: 0 },
  },
  BulkReportRow: {
    description: 'Result for one row.',
    fields: {
      id: 'ID of the row.',
      name: 'Name of the row.',
      outcome: 'What happened to the row.',
      message: 'Why the row failed. Empty: it did not fail.',
      changes: 'The fields that change.',
    },
  },
  BulkFieldChange: {
    description: 'Change of one field. Long values are cut.',
    fields: {
      field: 'Name of the field.',
      before: 'Value before the change. Empty for lists.',
      after: 'Value after the change. Empty for lists.',
      added: 'Entries added to a list.',
      removed: 'Entries removed from a list.',
    },
    example: { field: 'priority', before: '0', after: '10', added: [], removed: [] },
  },
  BulkUndoRequest: {
    description: 'The bulk change to undo.',
    fields: { undo: 'Value of `undo` from the report of the change.' },
  },
  ExportRequest: {
    description: 'Rows to export.',
    fields: {
      ids: 'IDs of the rows, at most 5,000. Unknown IDs are skipped.',
      time_zone: 'IANA time zone of the times in a CSV file.',
    },
  },
};
