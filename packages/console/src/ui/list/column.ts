import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Query } from '../../lib/page/address.ts';

/** One column of a list, as data. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The server's name for ordering by it; absent: not sortable. */
  readonly sort?: string;
  /** Right-aligned in figures of one width. */
  readonly isNumber?: boolean;
  /** Pixels that it has at least. */
  readonly width?: number;
  /** How much it takes of what is left on a wider screen, measured by what others take; absent: nothing. */
  readonly grow?: number;
  /** Shown when somebody chooses it, and on screens that are wide enough for everything. */
  readonly isExtra?: boolean;
  /** Names the row: where the configuration file manages it, the mark stands here. */
  readonly isName?: boolean;
  /** Whether a row has nothing to say here. */
  readonly isBlank?: (row: Row) => boolean;
  /** As the last one, it takes the room of the blanks right before it: a sentence stays on one line. */
  readonly usesBlanks?: boolean;
}

/** Something that can be done with a row. */
export interface RowAction {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly onClick?: () => void;
  /** A page of the console to go to instead. */
  readonly to?: string;
  /** What stands behind the question mark of that page's address. */
  readonly search?: Query;
  /** More of the kind, in a menu of their own. */
  readonly items?: readonly RowAction[];
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Whether the action is under way: it is shown so, and cannot be started again. */
  readonly isBusy?: boolean;
  /** Shown beside the menu rather than in it; one per row. */
  readonly isPrimary?: boolean;
  /** What becomes of it where the configuration file manages the row; absent: it changes nothing that the file does. */
  readonly ifManaged?: 'reads' | 'refused';
}

/** A row on a phone: a title line with the status, and a few facts. */
export interface Card {
  readonly title: ReactNode;
  readonly status?: ReactNode;
  readonly facts: readonly CardFact[];
}

interface CardFact {
  readonly name: string;
  readonly value: ReactNode;
  /** Takes the whole line. */
  readonly isWide?: boolean;
}
