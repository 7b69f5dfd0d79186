import type { Cell, ExportFormat } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';

/** How a file is written, and for whom. */
export interface ExportManner {
  readonly format: ExportFormat;
  readonly language: Language;
  readonly timeZone: string;
  readonly quotaPerUnit: number;
}

/** What whoever asks for a file says of it; the rest are settings. */
export type AskedManner = Omit<ExportManner, 'quotaPerUnit'>;

/** The manner of a call, from what all calls for files have. */
export const mannerOf = (
  { format, time_zone: timeZone }: { readonly format: ExportFormat; readonly time_zone: string },
  { language }: { readonly language: Language },
): AskedManner => ({ format, timeZone, language });

/** What stands in one column of a CSV. */
export interface ExportColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

/** To a millionth of a dollar: a single request costs that little. */
export const dollars = (quota: number, perUnit: number): number => Math.round((quota / perUnit) * 1e6) / 1e6;
