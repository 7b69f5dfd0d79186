import { isObject, parseJson } from '@headgate/dialects';
import { longestText, type SourceRow } from './source.ts';

/** The text of a column; nothing and what is no text are empty. */
export function textOf(row: SourceRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** As far as numbers are exact: what lies beyond counts as the last of them. Nothing and what is no number are 0. */
export function integerOf(row: SourceRow, column: string): number {
  const value = row[column];
  // As nearly all are; a million logs have ten million of them.
  if (Number.isSafeInteger(value)) return value as number;
  if (value === null || value === undefined || value === '') return 0;
  const number = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : Number(textOf(row, column));
  return Number.isNaN(number) ? 0 : within(Math.trunc(number), Number.MAX_SAFE_INTEGER);
}

/** The id of a row: a whole number that is counted exactly, by which it is known again. Undefined for anything else. */
export function idOf(row: SourceRow): number | undefined {
  const value = row['id'];
  if (Number.isSafeInteger(value)) return value as number;
  return typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : undefined;
}

/** Whether a column holds a whole number, or nothing. */
export function isWhole(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (value === null || value === undefined || value === '' || typeof value === 'bigint') return true;
  return typeof value === 'number' ? Number.isInteger(value) : /^\s*-?\d+(\.0*)?\s*$/.test(textOf(row, column));
}

/** The year 5138: no calendar ends before. */
export const latestTime = 100_000_000_000;

/** A time in seconds, never before 1970. */
export const timeOf = (row: SourceRow, column: string): number =>
  Math.min(Math.max(0, integerOf(row, column)), latestTime);

export function flagOf(row: SourceRow, column: string): boolean {
  const value = row[column];
  return value === true || Number(value) === 1 || value === 'true' || value === 't';
}

const noes: ReadonlySet<string> = new Set(['', '0', 'f', 'false', 'n', 'no', 'off']);

/** Whether something that narrows is on: it is unless it plainly is not, as what is not understood must not widen. */
export function narrows(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (value === null || value === undefined || typeof value === 'boolean') return value === true;
  return !noes.has(textOf(row, column).trim().toLowerCase());
}

/** Whether a row was deleted and is only kept for the record. */
export const isDeleted = (row: SourceRow): boolean => textOf(row, 'deleted_at') !== '';

export const within = (number: number, bound: number): number => Math.min(Math.max(number, -bound), bound);

/** Texts of that length are mistakes, or worse; what is left of one that was cut would be something else. */
export const isTooLong = (row: SourceRow): boolean =>
  Object.values(row).some((value) => typeof value === 'string' && value.length > longestText);

/** A whole number, also one that is too large to be counted exactly. */
export const asWhole = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

/** PostgreSQL stores no null character, and nobody can see one. */
export const withoutNulls = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

/** A text cut to a length, without half a character at the end. */
export const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** The same by what it takes to store it: an index has room for so much. */
export function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/** The object that a column holds as JSON: empty for an empty column, undefined for anything that is no object. */
export function objectOf(row: SourceRow, column: string): Readonly<Record<string, unknown>> | undefined {
  const value = row[column];
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)) {
    return value as Readonly<Record<string, unknown>>;
  }
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : textOf(row, column);
  if (text.trim() === '') return {};
  const parsed = parsedWithoutNulls(text);
  return isObject(parsed) ? parsed : undefined;
}

/** Looking at every value takes several times as long, and hardly any text can hold one. */
function parsedWithoutNulls(text: string): unknown {
  const value = parseJson(text);
  const mayHoldNulls = text.includes('\\u0000') || text.includes('\0');
  if (value === undefined || !mayHoldNulls) return value;
  // trusted JSON: parsed within bounds before.
  return JSON.parse(text, (_, each: unknown) => withoutNulls(each));
}
