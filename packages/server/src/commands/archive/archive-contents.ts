import { z } from 'zod';

/** What a column holds, on either database. */
export type ColumnKind = 'integer' | 'real' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** A value as a line of the file has it: a secret is in it as it was before it was sealed. */
export type Cell = number | string | null | { readonly secret: string } | { readonly bytes: string };

/** The first line. */
export const archiveFacts = z.strictObject({
  headgate: z.string().max(100),
  migration: z.string().max(100),
  time: z.int(),
  /** Since when there are logs in it; null: all of them. */
  logs_since: z.int().nullable(),
  /** What its fingerprints were made with. */
  fingerprint_key: z.base64().max(100),
});

export type ArchiveFacts = z.infer<typeof archiveFacts>;

/** The line before the rows of a table. */
export const tableHead = z.strictObject({
  table: z.string().max(100),
  columns: z.array(z.string().max(100)).min(1).max(200),
  /** The highest number that a row of it ever had; 0 where rows have none. */
  last_id: z.int().min(0),
});

export type TableHead = z.infer<typeof tableHead>;

/** The line after them. */
export const tableEnd = z.strictObject({ rows: z.int().min(0) });

/** The last line. */
export const archiveEnd = z.strictObject({ tables: z.int().min(0), all_rows: z.int().min(0) });

const isInteger = (cell: unknown) => Number.isSafeInteger(cell);

/** Which cells a column may have, null aside. */
const fits: Readonly<Record<ColumnKind, (cell: unknown) => boolean>> = {
  integer: isInteger,
  real: (cell) => Number.isFinite(cell),
  text: (cell) => isText(cell) || (isObject(cell) && isText(cell['secret'])),
  bytes: (cell) => isObject(cell) && typeof cell['bytes'] === 'string',
};

export const isCellOf = ({ kind, isNullable }: Column, cell: unknown): cell is Cell =>
  cell === null ? isNullable : fits[kind](cell);

/** PostgreSQL has no text with a null character in it. */
const isText = (cell: unknown): boolean => typeof cell === 'string' && !cell.includes('\0');

const isObject = (cell: unknown): cell is Readonly<Record<string, unknown>> =>
  typeof cell === 'object' && cell !== null && Object.keys(cell).length === 1;
