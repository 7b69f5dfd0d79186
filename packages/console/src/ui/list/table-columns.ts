import type { ColumnChoices } from '../../lib/list/list-look.ts';
import type { Column } from './column.ts';

/** What a column has in pixels when it does not say. */
const usualWidth = 120;
const actionsWidth = 92;

/** What a choice among columns knows of them. */
export type ColumnName = Pick<Column<never>, 'id' | 'title' | 'isExtra'>;

/** The columns that are shown: as chosen, and without a choice all but the extra ones, which need a wide screen. */
export function shownColumns<C extends ColumnName>(
  columns: readonly C[],
  choices: ColumnChoices,
  isWide: boolean,
): readonly C[] {
  const shown = columns.filter(({ id, isExtra }) => choices[id] ?? (isWide || !isExtra));
  // A list of nothing at all, as an older choice may leave it, would not say where to choose again.
  return shown.length > 0 ? shown : columns.slice(0, 1);
}

interface Widths {
  /** Pixels that all columns together need at least. */
  readonly least: number;
  /** Of each column, and of the actions behind them; lengths of CSS inside of a container. */
  readonly widths: readonly string[];
}

/** Widths that no content changes. What is left is shared by the columns that grow, or by all when none does. */
export function columnWidths<Row>(columns: readonly Column<Row>[], hasActions: boolean): Widths {
  const parts = columns.map(({ width = usualWidth, grow = 0 }) => ({ width, grow }));
  if (hasActions) parts.push({ width: actionsWidth, grow: 0 });
  const sum = (of: 'width' | 'grow') => parts.reduce((total, part) => total + part[of], 0);
  const least = sum('width');
  const shares = sum('grow');
  const widths = parts.map(({ width, grow }) => {
    const share = shares > 0 ? grow / shares : width / least;
    return share === 0 ? `${width}px` : `calc(${width}px + max(0px, 100cqi - ${least}px) * ${share.toFixed(4)})`;
  });
  return { least, widths };
}

/** How many columns before the last one have nothing in this row, so that the last one can use their room. */
export function blanksBeforeLast<Row>(columns: readonly Column<Row>[], row: Row): number {
  if (!columns.at(-1)?.usesBlanks) return 0;
  const before = columns.slice(0, -1);
  const lastFilled = before.findLastIndex(({ isBlank }) => !isBlank?.(row));
  return before.length - 1 - lastFilled;
}
