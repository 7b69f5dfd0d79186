import * as z from 'zod/mini';
import { rowId } from '../wire/list.ts';
import { maxBulkRows } from './bulk.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Media types of the formats: CSV for spreadsheets, JSON lines for programs. */
export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Export settings in addition to the list's filters. CSV files show times in the given time zone. */
export const exportSettings = {
  format: z._default(z.enum(exportFormats), 'csv'),
  time_zone: z._default(z.string().check(z.maxLength(100), z.refine(isTimeZone)), 'UTC'),
} as const;

/** Exports the rows with these ids. Unknown ids, and rows that the caller may not see, are skipped. */
export const selectedExport = z.object({
  ...exportSettings,
  ids: z.array(rowId).check(z.minLength(1), z.maxLength(maxBulkRows)),
});
