import { maxPageSize } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import type { ZodMiniType } from 'zod/mini';
import * as z from 'zod/mini';
import { createStoredValue, type StoredValue } from '../page/stored-value.ts';

/** Row height of a table. */
export type Density = 'comfortable' | 'compact';

export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 40, compact: 32 };

const density = createStoredValue('list_density', z.enum(['comfortable', 'compact']));

export const currentDensity = (): Density => density.get() ?? 'comfortable';

/** Shared by all lists and stored in the browser. */
export function useDensity(): readonly [Density, (next: Density) => void] {
  return [useSyncExternalStore(density.subscribe, currentDensity), density.set];
}

/** A browser setting stored per list. */
function storedPerList<T>(key: string, schema: ZodMiniType<T>): (list: string) => StoredValue<T> {
  const known = new Map<string, StoredValue<T>>();
  return (list) => {
    const stored = known.get(list) ?? createStoredValue(`${key}:${list}`, schema);
    known.set(list, stored);
    return stored;
  };
}

/** Columns shown or hidden by the user, by id; other columns use the default. */
export type ColumnChoices = Readonly<Record<string, boolean>>;

const choicesOf = storedPerList<ColumnChoices>('list_columns', z.record(z.string(), z.boolean()));
const noChoices: ColumnChoices = {};

/** The user's column choices for a list; undefined resets them. */
export function useColumnChoices(list: string): readonly [ColumnChoices, (next: ColumnChoices | undefined) => void] {
  const stored = choicesOf(list);
  return [useSyncExternalStore(stored.subscribe, () => stored.get() ?? noChoices), stored.set];
}

const sizeOf = storedPerList('list_size', z.int().check(z.minimum(1), z.maximum(maxPageSize)));

/** Page size chosen for a list; undefined if none was chosen. */
export function usePageSize(list: string): readonly [number | undefined, (next: number | undefined) => void] {
  const stored = sizeOf(list);
  return [useSyncExternalStore(stored.subscribe, stored.get), stored.set];
}
