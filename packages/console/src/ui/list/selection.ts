import { createContext, useContext, useState } from 'react';
import type { List } from '../../lib/list/list.ts';
import { emptySelection, type SelectedRows, togglePage, toggleRange, toggleRow } from './selected-rows.ts';

/** Selection of a list with its operations. */
export interface Selection {
  readonly ids: readonly number[];
  /** True if all matches on all pages are selected; `ids` is then empty. */
  readonly isEverything: boolean;
  readonly count: number;
  /** Number of matching rows, if the server sends it. */
  readonly total: number | undefined;
  readonly page: readonly number[];
  has(id: number): boolean;
  toggle(id: number, isRange: boolean): void;
  togglePage(): void;
  selectEverything(): void;
  clear(): void;
}

interface StoredSelection {
  readonly of: string;
  readonly selected: SelectedRows;
}

/**
 * Kept across pages and orders. A changed filter resets it, because otherwise hidden rows could be changed unnoticed.
 */
export function useSelection<Row extends { readonly id: number }>(list: List<Row>): Selection {
  const [kept, setKept] = useState<StoredSelection>({ of: list.filterKey, selected: emptySelection });
  const selected = kept.of === list.filterKey ? kept.selected : emptySelection;
  const page = list.rows.map(({ id }) => id);
  const set = (next: SelectedRows) => setKept({ of: list.filterKey, selected: next });
  return {
    ids: [...selected.ids],
    isEverything: selected.isEverything,
    count: selected.isEverything ? (list.total ?? list.loaded) : selected.ids.size,
    total: list.total,
    page,
    has: (id) => selected.isEverything || selected.ids.has(id),
    toggle: (id, isRange) => set(isRange ? toggleRange(selected, id, page) : toggleRow(selected, id, page)),
    togglePage: () => set(togglePage(selected, page)),
    selectEverything: () => set({ ...emptySelection, isEverything: true }),
    clear: () => set(emptySelection),
  };
}

/** Read by the checkboxes, so that the rows do not rerender. */
export const SelectionContext = createContext<Selection | undefined>(undefined);

export const useSelected = (): Selection | undefined => useContext(SelectionContext);
