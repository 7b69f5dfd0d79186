import { z } from 'zod';

/** Type of a column, on either database. */
export type ColumnKind = 'integer' | 'real' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** A value in a line of the file. Secrets are stored decrypted, protected by the passphrase of the file. */
export type Cell = number | string | null | { readonly secret: string } | { readonly bytes: string };

/** First line of the file. */
export const archiveInfoSchema = z.strictObject({
  headgate: z.string().max(100),
  migration: z.string().max(100),
  time: z.int(),
  /** Time of the first log in the file; null for all logs. */
  logs_since: z.int().nullable(),
  /** Key of the fingerprints in the file. */
  fingerprint_key: z.base64().max(100),
});

export type ArchiveInfo = z.infer<typeof archiveInfoSchema>;

/** Line before the rows of a table. */
export const tableHeadSchema = z.strictObject({
  table: z.string().max(100),
  columns: z.array(z.string().max(100)).min(1).max(200),
  /** Highest id ever used in the table; 0 for tables without ids. */
  last_id: z.int().min(0),
});

export type TableHead = z.infer<typeof tableHeadSchema>;

/** Line after the rows of a table. */
export const tableEndSchema = z.strictObject({ rows: z.int().min(0) });

/** Last line of the file. */
export const archiveEndSchema = z.strictObject({ tables: z.int().min(0), all_rows: z.int().min(0) });

const isInteger = (cell: unknown) => Number.isSafeInteger(cell);

/** Allowed cells of a column type, apart from null. */
const fits: Readonly<Record<ColumnKind, (cell: unknown) => boolean>> = {
  integer: isInteger,
  real: (cell) => Number.isFinite(cell),
  text: (cell) => isText(cell) || (isObject(cell) && isText(cell['secret'])),
  bytes: (cell) => isObject(cell) && typeof cell['bytes'] === 'string',
};

export const isValidCell = ({ kind, isNullable }: Column, cell: unknown): cell is Cell =>
  cell === null ? isNullable : fits[kind](cell);

/** PostgreSQL text cannot contain null characters. */
const isText = (cell: unknown): boolean => typeof cell === 'string' && !cell.includes('\0');

const isObject = (cell: unknown): cell is Readonly<Record<string, unknown>> =>
  typeof cell === 'object' && cell !== null && Object.keys(cell).length === 1;
