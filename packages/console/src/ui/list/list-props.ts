import type { ReactNode, Ref } from 'react';
import type { List } from '../../lib/list/list.ts';
import type { ListWithViews } from '../../lib/list/saved-views.ts';
import type { ManageableKind } from '../../lib/page/managed.ts';
import type { Card, Column, RowAction } from './column.ts';
import type { Selection } from './selection.ts';

export interface RowsProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowName: (row: Row) => string;
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly actions?: (row: Row) => readonly RowAction[];
  /** Called on a click on a row, except on its links, buttons and fields. */
  readonly onOpen?: (row: Row) => void;
}

export interface Order {
  readonly value: string;
  readonly label: string;
}

/** Selected rows, with actions or a custom selection bar. */
export type ListSelection = { readonly of: Selection } & (
  | { readonly actions: readonly RowAction[] }
  | { readonly bar: ReactNode }
);

/** Opens a page or a dialog. */
interface AddAction {
  readonly label: string;
  readonly to?: string;
  readonly onClick?: () => void;
}

export interface OlderRows {
  readonly label: string;
  readonly show: () => void;
}

/** A row of filters, hidden until the Filters button is clicked or a filter is set. */
interface FoldedFilters {
  /** List whose filters can be saved as views. */
  readonly list: ListWithViews;
  /** Number of active filters. */
  readonly count: number;
  /** Number of filters stacked on a phone. */
  readonly lines: 2 | 3;
  readonly bar: ReactNode;
}

export interface ListPageProps<Row> extends RowsProps<Row> {
  readonly title: string;
  readonly card: (row: Row) => Card;
  /** Kind of the rows in the configuration file, matched by row key; absent if they cannot be managed. */
  readonly managed?: ManageableKind;
  /** Search label; absent if the list has no search. */
  readonly searchLabel?: string;
  readonly searchRef?: Ref<HTMLInputElement>;
  /** Status filter, with counts if the server sends them. */
  readonly statuses?: Readonly<Record<number, { readonly label: string }>>;
  /** Additional quick filter next to the statuses. */
  readonly quick?: ReactNode;
  readonly orders?: readonly Order[];
  readonly filters?: FoldedFilters | false;
  readonly add?: AddAction;
  /** Text for an empty list, above the add button. */
  readonly emptyText: string;
  /** Content next to the title, such as a total. */
  readonly aside?: ReactNode;
  /** State of the page's own filters, and how to clear them. */
  readonly customFilters?: { readonly isNarrowed: boolean; readonly clear: () => void };
  /** Loads further rows after the last page, for lists that do not count all rows. */
  readonly older?: OlderRows;
  /** Absent if rows cannot be selected. */
  readonly selection?: ListSelection | undefined;
  /** Switch for the level of detail; placed among the filters on a phone. */
  readonly switches?: ReactNode;
  /** Additional buttons next to the filter. */
  readonly tools?: ReactNode;
  /** Content between header and rows, such as a hint or more filters. */
  readonly children?: ReactNode;
}
