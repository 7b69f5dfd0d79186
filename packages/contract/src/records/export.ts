import * as z from 'zod/mini';
import { rowId } from '../wire/list.ts';
import { mostBulkRows } from './bulk.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What the answers are called; a spreadsheet opens the first, a program reads the other line by line. */
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

/** How a list is written to a file, beside the filters of the list. Times of a CSV are those of the time zone. */
export const exportManner = {
  format: z._default(z.enum(exportFormats), 'csv'),
  time_zone: z._default(z.string().check(z.maxLength(100), z.refine(isTimeZone)), 'UTC'),
} as const;

/** The rows with these ids; those that are not there, or not the caller's to see, are left out. */
export const chosenExport = z.object({
  ...exportManner,
  ids: z.array(rowId).check(z.minLength(1), z.maxLength(mostBulkRows)),
});
