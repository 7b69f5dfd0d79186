import type { Marked, TextPart } from '../content-part.ts';
import type { JsonObject } from '../provider.ts';

/** A mark stands on the last block of what it is about. */
export function marked(blocks: readonly JsonObject[], { cacheControl }: Marked): readonly JsonObject[] {
  const last = blocks.at(-1);
  return cacheControl && last ? [...blocks.slice(0, -1), { ...last, cache_control: cacheControl }] : blocks;
}

export const hasMarks = (parts: readonly TextPart[]) => parts.some(({ cacheControl }) => cacheControl);

/** The mark of what can only be kept whole. */
export const lastMark = (parts: readonly TextPart[]): Marked =>
  parts.findLast(({ cacheControl }) => cacheControl) ?? {};
