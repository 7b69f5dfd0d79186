import { createHash } from 'node:crypto';
import type { SourceRow } from '../source/source.ts';
import { textOf } from '../source/source-values.ts';

/**
 * Numeric id of a row with a text id, for the tables that the planning shares with the other gateways. Two rows with
 * the same number are reported as duplicates.
 */
export const numericId = (...parts: readonly string[]): number =>
  createHash('sha256').update(parts.join('\n')).digest().readUIntBE(0, 6);

/** Elements of a PostgreSQL array literal such as `{a,"b c",NULL}`. */
export function listOf(row: SourceRow, column: string): readonly string[] {
  const text = textOf(row, column).trim();
  const elements = text.startsWith('{') ? text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs) : [];
  return [...elements].flatMap(([, quoted, plain]) => {
    if (quoted !== undefined) return [quoted.replace(/\\(.)/gs, '$1')];
    return plain === undefined || plain === 'NULL' ? [] : [plain];
  });
}

/** Time in seconds of a timestamp without time zone, which LiteLLM stores in UTC; undefined if there is none. */
export function secondsOf(row: SourceRow, column: string): number | undefined {
  const text = textOf(row, column).trim();
  if (text === '') return undefined;
  const time = Date.parse(/[zZ]|[+-]\d\d(:?\d\d)?$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** A positive or zero number; undefined for null and anything else. */
export function amountOf(row: SourceRow, column: string): number | undefined {
  const text = textOf(row, column).trim();
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** True for a JSON column with at least one entry. */
export const hasEntries = (row: SourceRow, column: string): boolean =>
  !['', '{}', '[]', 'null'].includes(textOf(row, column).trim());

/** A name that can be a group: no commas or control characters. */
export const groupName = (text: string): string => text.replace(/[\p{C},]+/gu, ' ').trim();
