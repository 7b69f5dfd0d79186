import { createContext, useContext, useState } from 'react';
import type { List } from '../../lib/list/list.ts';
import { noneSelected, type SelectedRows, withPageToggled, withRange, withToggled } from './selected-rows.ts';

/** What is selected of a list, and how that changes. */
export interface Selection {
  readonly ids: readonly number[];
  /** Everything that matches, on all pages: `ids` is then empty. */
  readonly isEverything: boolean;
  readonly count: number;
  /** How many rows match in all, where the server tells. */
  readonly total: number | undefined;
  readonly page: readonly number[];
  has(id: number): boolean;
  toggle(id: number, isRange: boolean): void;
  togglePage(): void;
  selectEverything(): void;
  clear(): void;
}

interface Kept {
  readonly of: string;
  readonly selected: SelectedRows;
}

/** Survives another page and another order; another filter begins anew, for what is out of it would be changed unseen. */
export function useSelection<Row extends { readonly id: number }>(list: List<Row>): Selection {
  const [kept, setKept] = useState<Kept>({ of: list.filterKey, selected: noneSelected });
  const selected = kept.of === list.filterKey ? kept.selected : noneSelected;
  const page = list.rows.map(({ id }) => id);
  const set = (next: SelectedRows) => setKept({ of: list.filterKey, selected: next });
  return {
    ids: [...selected.ids],
    isEverything: selected.isEverything,
    count: selected.isEverything ? (list.total ?? list.loaded) : selected.ids.size,
    total: list.total,
    page,
    has: (id) => selected.isEverything || selected.ids.has(id),
    toggle: (id, isRange) => set(isRange ? withRange(selected, id, page) : withToggled(selected, id, page)),
    togglePage: () => set(withPageToggled(selected, page)),
    selectEverything: () => set({ ...noneSelected, isEverything: true }),
    clear: () => set(noneSelected),
  };
}

/** Reaches the boxes in the rows, which are not drawn anew for it. */
export const SelectionContext = createContext<Selection | undefined>(undefined);

export const useSelected = (): Selection | undefined => useContext(SelectionContext);
