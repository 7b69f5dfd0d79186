import type { SourceRow } from './source.ts';
import { clamp, readInteger, readText, truncate, truncateBytes } from './source-values.ts';

export const maxContentLength = 4000;
export const maxNameLength = 300;

/** Upper bounds per log row that keep sums exact: an inexact sum could not be parsed back. */
export const maxPerRow = { quota: 1_000_000_000_000, tokens: 1_000_000_000, milliseconds: 86_400_000 } as const;

export const readAmount = (row: SourceRow, column: string, max: number): number =>
  Math.max(0, clamp(readInteger(row, column), max));

/** An index covers four of these names and is limited to 2,700 bytes. */
const maxNameBytes = 600;

export const readLogName = (row: SourceRow, column: string): string => shortName(readText(row, column));

export const shortName = (text: string): string => truncateBytes(truncate(text, maxNameLength), maxNameBytes);
