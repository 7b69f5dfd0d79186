import type { CacheMarked } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Places a mark on the last block that it covers. */
export function withCacheMark(blocks: readonly JsonObject[], { cacheControl }: CacheMarked): readonly JsonObject[] {
  const last = blocks.at(-1);
  return cacheControl && last ? [...blocks.slice(0, -1), { ...last, cache_control: cacheControl }] : blocks;
}

export const hasCacheMarks = (parts: readonly CacheMarked[]) => parts.some(({ cacheControl }) => cacheControl);

/** Cache mark of content that can only be cached as a whole. */
export const lastCacheMark = (parts: readonly CacheMarked[]): CacheMarked =>
  parts.findLast(({ cacheControl }) => cacheControl) ?? {};
