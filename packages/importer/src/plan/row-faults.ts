import { type Staying, tooLong } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { idOf, isTooLong } from '../source/source-values.ts';

const noId: Staying = { reason: 'has no whole number as its id' };
const sameId: Staying = { reason: 'has the id of a row before it' };

/** How a row is spoken of. */
export const idWord = (row: SourceRow): string => String(idOf(row) ?? '?');

/** Whether rows can be told from one another: what has no id of its own would come again with every run. */
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
