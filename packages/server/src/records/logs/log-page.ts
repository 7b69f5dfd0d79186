import { secondsPerHour } from './roll-up.ts';
import type { Span } from './time-span.ts';

/** A span of time with the number of logs in it. */
export interface Stretch extends Span {
  readonly rows: number;
  /** Whole hours that sums can still tell apart. */
  readonly isSummed: boolean;
}

/** Rows to read from a span, newest first. */
export interface Reading extends Span {
  readonly offset: number;
  readonly limit: number;
}

/** Where a row stands that so many newer ones precede: in which stretch, and after how many rows of it. */
export function placeOf(offset: number, stretches: readonly Stretch[]): { index: number; skip: number } | undefined {
  let skip = offset;
  for (const [index, { rows }] of stretches.entries()) {
    if (skip < rows) return { index, skip };
    skip -= rows;
  }
  return undefined;
}

/** As many of the first stretches as have so many rows: what lies after them need not be looked at. */
export function withRows(stretches: readonly Stretch[], wanted: number): readonly Stretch[] {
  let rows = 0;
  const end = stretches.findIndex((stretch) => {
    rows += stretch.rows;
    return rows >= wanted;
  });
  return end === -1 ? stretches : stretches.slice(0, end + 1);
}

/** What to read for a page that begins after so many rows; neighbouring stretches are read as one. */
export function readingsOf(stretches: readonly Stretch[], skip: number, size: number): Reading[] {
  const readings: Reading[] = [];
  let [offset, missing] = [skip, size];
  for (const { from, to, rows } of stretches) {
    const limit = Math.min(rows - offset, missing);
    if (missing === 0) break;
    if (limit > 0) {
      const newer = readings.at(-1);
      if (newer && newer.from === to + 1) {
        readings[readings.length - 1] = { ...newer, from, limit: newer.limit + limit };
      } else {
        readings.push({ from, to, offset, limit });
      }
      missing -= limit;
    }
    offset = Math.max(0, offset - rows);
  }
  return readings;
}

/** How many hours are surely enough to fill a page that begins somewhere in this span: each holds a row or more. */
export const hoursNeeded = ({ from, to }: Span, size: number): number => (to + 1 - from) / secondsPerHour + size;
