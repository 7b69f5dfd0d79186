import { type Staying, tooLong } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { idOf, isTooLong } from '../source/source-values.ts';

const noId: Staying = { reason: 'has an id that is not a whole number' };
const sameId: Staying = { reason: 'has the same id as an earlier row' };

/** Row id for labels and lookups; `?` if invalid. */
export const idWord = (row: SourceRow): string => String(idOf(row) ?? '?');

/** Checks that ids are valid and unique. Without them, every run would import the row again. */
export function idFaults(): (row: SourceRow) => Staying | undefined {
  const seen = new Set<number>();
  return (row) => {
    const id = idOf(row);
    if (id === undefined) return noId;
    if (seen.has(id)) return sameId;
    seen.add(id);
    return undefined;
  };
}

export const lengthFault = (row: SourceRow): Staying | undefined => (isTooLong(row) ? tooLong : undefined);
