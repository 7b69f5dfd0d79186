/** Selected rows of a list: ids across pages, or all matches. */
export interface SelectedRows {
  readonly ids: ReadonlySet<number>;
  readonly isEverything: boolean;
  /** Start of a range: the row that was last toggled individually. */
  readonly anchor: number | undefined;
}

export const emptySelection: SelectedRows = { ids: new Set(), isEverything: false, anchor: undefined };

/** Toggles a row. If all matches are selected, the rest of the current page stays selected. */
export function toggleRow(before: SelectedRows, id: number, page: readonly number[]): SelectedRows {
  const ids = new Set(before.isEverything ? page : before.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, isEverything: false, anchor: id };
}

/** Applies the new state of this row to all rows from the anchor; only to this row if the anchor is not on the page. */
export function toggleRange(before: SelectedRows, id: number, page: readonly number[]): SelectedRows {
  const from = before.anchor === undefined ? -1 : page.indexOf(before.anchor);
  const to = page.indexOf(id);
  if (from < 0 || to < 0) return toggleRow(before, id, page);
  const ids = new Set(before.isEverything ? page : before.ids);
  const isWanted = !ids.has(id);
  for (const between of page.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isWanted) ids.add(between);
    else ids.delete(between);
  }
  return { ids, isEverything: false, anchor: before.anchor };
}

/** Selects the page, or deselects it if all of its rows are selected. */
export function togglePage(before: SelectedRows, page: readonly number[]): SelectedRows {
  if (before.isEverything) return emptySelection;
  const isWhole = page.every((id) => before.ids.has(id));
  const others = [...before.ids].filter((id) => !page.includes(id));
  return { ids: new Set(isWhole ? others : [...others, ...page]), isEverything: false, anchor: undefined };
}
