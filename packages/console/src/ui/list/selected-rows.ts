/** Which rows of a list are selected: some by their ids, on whatever page, or everything that matches. */
export interface SelectedRows {
  readonly ids: ReadonlySet<number>;
  readonly isEverything: boolean;
  /** Where a range begins: the row that was last selected or left out by itself. */
  readonly anchor: number | undefined;
}

export const noneSelected: SelectedRows = { ids: new Set(), isEverything: false, anchor: undefined };

/** Selects a row, or leaves it out. Of everything that matches, what is left is the rest of its page. */
export function withToggled(before: SelectedRows, id: number, page: readonly number[]): SelectedRows {
  const ids = new Set(before.isEverything ? page : before.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, isEverything: false, anchor: id };
}

/** Makes all rows from the anchor to this one what this one becomes; without an anchor in sight, this one alone. */
export function withRange(before: SelectedRows, id: number, page: readonly number[]): SelectedRows {
  const from = before.anchor === undefined ? -1 : page.indexOf(before.anchor);
  const to = page.indexOf(id);
  if (from < 0 || to < 0) return withToggled(before, id, page);
  const ids = new Set(before.isEverything ? page : before.ids);
  const isWanted = !ids.has(id);
  for (const between of page.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isWanted) ids.add(between);
    else ids.delete(between);
  }
  return { ids, isEverything: false, anchor: before.anchor };
}

/** Selects the whole page, or leaves it out when all of it is selected. */
export function withPageToggled(before: SelectedRows, page: readonly number[]): SelectedRows {
  if (before.isEverything) return noneSelected;
  const isWhole = page.every((id) => before.ids.has(id));
  const others = [...before.ids].filter((id) => !page.includes(id));
  return { ids: new Set(isWhole ? others : [...others, ...page]), isEverything: false, anchor: undefined };
}
