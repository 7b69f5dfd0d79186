import type { ColumnChoices } from '../../lib/list/list-display.ts';
import type { Column } from './column.ts';

/** Default column width in pixels. */
const defaultWidth = 120;
const actionsWidth = 92;

/** Column properties required by the display settings. */
export type ColumnName = Pick<Column<never>, 'id' | 'title' | 'isExtra'>;

/** Visible columns: as selected, otherwise all except extra ones, which need a wide screen. */
export function visibleColumns<C extends ColumnName>(
  columns: readonly C[],
  choices: ColumnChoices,
  isWide: boolean,
): readonly C[] {
  const shown = columns.filter(({ id, isExtra }) => choices[id] ?? (isWide || !isExtra));
  // A stored choice may hide all columns, which would make the display settings unreachable.
  return shown.length > 0 ? shown : columns.slice(0, 1);
}

interface Widths {
  /** Minimum width of all columns in pixels. */
  readonly least: number;
  /** CSS widths of the columns and the actions, relative to the container. */
  readonly widths: readonly string[];
}

/** Content-independent column widths. The remaining width is shared by growing columns, or by all if none grows. */
export function columnWidths<Row>(columns: readonly Column<Row>[], hasActions: boolean): Widths {
  const parts = columns.map(({ width = defaultWidth, grow = 0 }) => ({ width, grow }));
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

/** Number of empty cells directly before the last column, which extends over them. */
export function emptyCellsBeforeLast<Row>(columns: readonly Column<Row>[], row: Row): number {
  if (!columns.at(-1)?.usesEmptyCells) return 0;
  const before = columns.slice(0, -1);
  const lastFilled = before.findLastIndex(({ isBlank }) => !isBlank?.(row));
  return before.length - 1 - lastFilled;
}
