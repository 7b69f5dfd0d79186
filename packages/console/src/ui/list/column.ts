import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Query } from '../../lib/page/address.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Sort key of the API; absent if not sortable. */
  readonly sort?: string;
  /** Right-aligned, with tabular digits. */
  readonly isNumber?: boolean;
  /** Minimum width in pixels. */
  readonly width?: number;
  /** Share of the remaining width, relative to other columns. Default: 0. */
  readonly grow?: number;
  /** Shown only if selected by the user, or on wide screens. */
  readonly isExtra?: boolean;
  /** True for the column with the row's name, which shows the mark of managed rows. */
  readonly isName?: boolean;
  /** True if the cell of this row is empty. */
  readonly isBlank?: (row: Row) => boolean;
  /** If it is the last column, extends over empty cells directly before it, so that a sentence stays on one line. */
  readonly usesEmptyCells?: boolean;
}

export interface RowAction {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly onClick?: () => void;
  /** Link to a page of the console. */
  readonly to?: string;
  /** Query parameters of that link. */
  readonly search?: Query;
  /** Submenu. */
  readonly items?: readonly RowAction[];
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** True while running: shown as busy and cannot be started again. */
  readonly isBusy?: boolean;
  /** Shown next to the menu instead of in it; at most one per row. */
  readonly isPrimary?: boolean;
  /**
   * Behavior for managed rows: `reads` opens a read-only view, `refused` disables the action. Absent if the action does
   * not change managed data.
   */
  readonly ifManaged?: 'reads' | 'refused';
}

/** A row on a phone: title, status and a few facts. */
export interface Card {
  readonly title: ReactNode;
  readonly status?: ReactNode;
  readonly facts: readonly CardFact[];
  /** Compact text, shown instead of the facts. */
  readonly lines?: ReactNode;
}

export interface CardFact {
  readonly name: string;
  readonly value: ReactNode;
  /** Takes the full width. */
  readonly isWide?: boolean;
  /** True if the value is clear without its name, which is then for screen readers only. */
  readonly isPlain?: boolean;
}
