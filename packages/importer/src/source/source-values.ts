import { isObject, parseJson } from '@headgate/dialects';
import { maxTextLength, type SourceRow } from './source.ts';

/** Text of a column; empty for null and other types. */
export function readText(row: SourceRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Integer value, clamped to the safe range. Null and other types are 0. */
export function readInteger(row: SourceRow, column: string): number {
  const value = row[column];
  // Fast path for nearly all values: a million logs have ten million values.
  if (Number.isSafeInteger(value)) return value as number;
  if (value === null || value === undefined || value === '') return 0;
  const number =
    typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : Number(readText(row, column));
  return Number.isNaN(number) ? 0 : clamp(Math.trunc(number), Number.MAX_SAFE_INTEGER);
}

/** Number of a column; 0 for null, NaN for other texts. */
export const readNumber = (row: SourceRow, column: string): number => Number(readText(row, column));

/** Id of a row as a safe integer; undefined otherwise. */
export function readId(row: SourceRow): number | undefined {
  const value = row['id'];
  if (Number.isSafeInteger(value)) return value as number;
  return typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : undefined;
}

/** True for an integer or null. */
export function isInteger(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (value === null || value === undefined || value === '' || typeof value === 'bigint') return true;
  return typeof value === 'number' ? Number.isInteger(value) : /^\s*-?\d+(\.0*)?\s*$/.test(readText(row, column));
}

/** Year 5138, which every date library supports. */
export const maxTime = 100_000_000_000;

/** Time in seconds, never before 1970. */
export const readTime = (row: SourceRow, column: string): number =>
  Math.min(Math.max(0, readInteger(row, column)), maxTime);

export function readFlag(row: SourceRow, column: string): boolean {
  const value = row[column];
  return value === true || Number(value) === 1 || value === 'true' || value === 't';
}

const falseValues: ReadonlySet<string> = new Set(['', '0', 'f', 'false', 'n', 'no', 'off']);

/** True unless a restriction is clearly off: an unknown value must not widen access. */
export function isRestricted(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (value === null || value === undefined || typeof value === 'boolean') return value === true;
  return !falseValues.has(readText(row, column).trim().toLowerCase());
}

/** True for a soft-deleted row. */
export const isDeleted = (row: SourceRow): boolean => readText(row, 'deleted_at') !== '';

export const clamp = (number: number, bound: number): number => Math.min(Math.max(number, -bound), bound);

/**
 * True if a text is too long, which indicates a mistake or an attack. Such a text is rejected instead of truncated,
 * because truncating would change its meaning.
 */
export const isTooLong = (row: SourceRow): boolean =>
  Object.values(row).some((value) => typeof value === 'string' && value.length > maxTextLength);

/** A number if the value is safe, otherwise the bigint. */
export const safeNumber = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

/** Removes null characters, which PostgreSQL cannot store. */
export const withoutNulls = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

/** Truncates without splitting a surrogate pair. */
export const truncate = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Truncates to a number of bytes, to fit an index. */
export function truncateBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}

/** Parses a JSON object column: empty for an empty column, undefined for anything but an object. */
export function readJsonObject(row: SourceRow, column: string): Readonly<Record<string, unknown>> | undefined {
  const value = row[column];
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)) {
    return value as Readonly<Record<string, unknown>>;
  }
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : readText(row, column);
  if (text.trim() === '') return {};
  const parsed = parsedWithoutNulls(text);
  return isObject(parsed) ? parsed : undefined;
}

/** A reviver is several times slower and rarely needed. */
function parsedWithoutNulls(text: string): unknown {
  const value = parseJson(text);
  const mayHoldNulls = text.includes('\\u0000') || text.includes('\0');
  if (value === undefined || !mayHoldNulls) return value;
  // trusted JSON: parsed within bounds before.
  return JSON.parse(text, (_, each: unknown) => withoutNulls(each));
}

/** Report lines written while converting the row from another format; no source has such a column. */
export const importNotes = (row: SourceRow): string[] =>
  readText(row, 'notes')
    .split('\n')
    .filter((note) => note !== '');

/** Maximum quota with which sums stay exact. */
export const maxQuota = 1_000_000_000_000_000;
