import { largestPageSize } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import type { ZodMiniType } from 'zod/mini';
import * as z from 'zod/mini';
import { createStored, type Stored } from '../page/stored.ts';

/** How high the rows of a table are. */
export type Density = 'comfortable' | 'compact';

export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 40, compact: 32 };

const density = createStored('list_density', z.enum(['comfortable', 'compact']));

export const currentDensity = (): Density => density.get() ?? 'comfortable';

/** One for all lists; this browser remembers it. */
export function useDensity(): readonly [Density, (next: Density) => void] {
  return [useSyncExternalStore(density.subscribe, currentDensity), density.set];
}

/** Something that this browser remembers of each list apart. */
function storedOfLists<T>(key: string, schema: ZodMiniType<T>): (list: string) => Stored<T> {
  const known = new Map<string, Stored<T>>();
  return (list) => {
    const stored = known.get(list) ?? createStored(`${key}:${list}`, schema);
    known.set(list, stored);
    return stored;
  };
}

/** Columns that somebody has shown or hidden, by their ids; the others are as the list has them. */
export type ColumnChoices = Readonly<Record<string, boolean>>;

const choicesOf = storedOfLists<ColumnChoices>('list_columns', z.record(z.string(), z.boolean()));
const noChoices: ColumnChoices = {};

/** Which columns of a list are shown, as far as somebody has chosen; undefined forgets it. */
export function useColumnChoices(list: string): readonly [ColumnChoices, (next: ColumnChoices | undefined) => void] {
  const stored = choicesOf(list);
  return [useSyncExternalStore(stored.subscribe, () => stored.get() ?? noChoices), stored.set];
}

const sizeOf = storedOfLists('list_size', z.int().check(z.minimum(1), z.maximum(largestPageSize)));

/** How many rows of a list somebody wants on a page; undefined where nobody has chosen. */
export function useChosenSize(list: string): readonly [number | undefined, (next: number | undefined) => void] {
  const stored = sizeOf(list);
  return [useSyncExternalStore(stored.subscribe, stored.get), stored.set];
}
