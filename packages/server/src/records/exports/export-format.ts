import type { Cell, ExportFormat } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';

/** Format and language of an exported file. */
export interface ExportFileFormat {
  readonly format: ExportFormat;
  readonly language: Language;
  readonly timeZone: string;
  readonly quotaPerUnit: number;
}

/** Fields set by the request; the others come from settings. */
export type RequestedFormat = Omit<ExportFileFormat, 'quotaPerUnit'>;

/** Options of an export request. */
export const requestedFormat = (
  { format, time_zone: timeZone }: { readonly format: ExportFormat; readonly time_zone: string },
  { language }: { readonly language: Language },
): RequestedFormat => ({ format, timeZone, language });

/** One column of a CSV file. */
export interface ExportColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

/** Rounded to a millionth of a dollar, because a single request may cost that little. */
export const dollars = (quota: number, perUnit: number): number => Math.round((quota / perUnit) * 1e6) / 1e6;
