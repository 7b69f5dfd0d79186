import { createHash } from 'node:crypto';
import type { SourceRow } from '../source/source.ts';
import { readText } from '../source/source-values.ts';

/**
 * Numeric id for a row with a text id, for the planning code shared with the other gateways. It only identifies the row
 * in its source; the imported row gets a different id. Two rows with the same number are reported as duplicates.
 */
export const numericId = (...parts: readonly string[]): number =>
  createHash('sha256').update(parts.join('\n')).digest().readUIntBE(0, 6);

/** Parses the elements of a PostgreSQL array literal such as `{a,"b c",NULL}`. */
export function readList(row: SourceRow, column: string): readonly string[] {
  const text = readText(row, column).trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return [];
  const elements: string[] = [];
  for (let at = 1; at < text.length - 1; at += 1) {
    const { value, end } = text[at] === '"' ? quotedAt(text, at) : plainAt(text, at);
    if (value !== undefined && value !== '') elements.push(value);
    at = end;
  }
  return elements;
}

interface Element {
  /** Undefined for NULL. */
  readonly value: string | undefined;
  /** Position of the following comma or brace. */
  readonly end: number;
}

function quotedAt(text: string, start: number): Element {
  let value = '';
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
  }
  return { value, end: at + 1 };
}

function plainAt(text: string, start: number): Element {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length - 1 : comma;
  const value = text.slice(start, end);
  return { value: value === 'NULL' ? undefined : value, end };
}

/** Time in seconds of a timestamp without a time zone, which LiteLLM stores in UTC; undefined if there is none. */
export function readSeconds(row: SourceRow, column: string): number | undefined {
  const time = readMilliseconds(row, column);
  return time === undefined ? undefined : Math.floor(time / 1000);
}

export function readMilliseconds(row: SourceRow, column: string): number | undefined {
  const text = readText(row, column).trim();
  if (text === '') return undefined;
  const time = Date.parse(/[zZ]|[+-]\d\d(:?\d\d)?$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** A nonnegative number; undefined for null and anything that is not a number. */
export function readAmount(row: SourceRow, column: string): number | undefined {
  const text = readText(row, column).trim();
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? Math.max(0, value) : undefined;
}

/** True for a JSON column with at least one entry. */
export const hasEntries = (row: SourceRow, column: string): boolean =>
  !['', '{}', '[]', 'null'].includes(readText(row, column).trim());

/** A valid group name: no commas or control characters. */
export const groupName = (text: string): string => text.replace(/[\p{C},]+/gu, ' ').trim();
