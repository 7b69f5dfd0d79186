import { type Skipped, tooLong } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { idOf, isTooLong, textOf } from '../source/source-values.ts';

const noId: Skipped = { reason: 'has an id that is not a whole number' };
const sameId: Skipped = { reason: 'has the same id as an earlier row' };

/** Row id for labels and lookups; `?` if invalid. */
export const idLabel = (row: SourceRow): string => String(idOf(row) ?? '?');

/** Id for the report; rows converted from another format have their own. */
export const reportedId = (row: SourceRow): string => textOf(row, 'label') || idLabel(row);

/** Creates a check that ids are valid and unique. Without them, every run would import the row again. */
export function createIdCheck(): (row: SourceRow) => Skipped | undefined {
  const seen = new Set<number>();
  return (row) => {
    const id = idOf(row);
    if (id === undefined) return noId;
    if (seen.has(id)) return sameId;
    seen.add(id);
    return undefined;
  };
}

export const checkLength = (row: SourceRow): Skipped | undefined => (isTooLong(row) ? tooLong : undefined);
