import type { ReactNode, Ref } from 'react';
import type { List } from '../../lib/list/list.ts';
import type { MarkedKind } from '../../lib/page/managed.ts';
import type { Card, Column, RowAction } from './column.ts';
import type { Selection } from './selection.ts';

export interface RowsProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowName: (row: Row) => string;
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly actions?: (row: Row) => readonly RowAction[];
}

export interface Order {
  readonly value: string;
  readonly label: string;
}

/** What is selected, and what can be done with it: as actions, or as a bar of the page's own. */
export type ListSelection = { readonly of: Selection } & (
  | { readonly actions: readonly RowAction[] }
  | { readonly bar: ReactNode }
);

export interface OlderRows {
  readonly label: string;
  readonly show: () => void;
}

export interface ListPageProps<Row> extends RowsProps<Row> {
  readonly title: string;
  readonly card: (row: Row) => Card;
  /** What the rows are to a configuration file, which tells them apart by the keys of rows; absent: nothing. */
  readonly managed?: MarkedKind;
  /** What the search looks at; absent: the list has no search. */
  readonly searchLabel?: string;
  readonly searchRef?: Ref<HTMLInputElement>;
  /** The quick filter: a choice per status, with counts where the server gives them. */
  readonly statuses?: Readonly<Record<number, { readonly label: string }>>;
  /** A quick filter of the page's own, beside the statuses. */
  readonly quick?: ReactNode;
  readonly orders?: readonly Order[];
  readonly add?: { readonly label: string; readonly to: string };
  /** The words when there is nothing at all, above the button that adds something. */
  readonly emptyWords: string;
  /** Something beside the title, such as what the rows add up to. */
  readonly aside?: ReactNode;
  /** The page's own filters, beside keyword and status: whether they leave rows out, and how to drop them all. */
  readonly narrowing?: { readonly isNarrowed: boolean; readonly clear: () => void };
  /** Shows the rows after the last page, for lists whose rows are not counted to the end. */
  readonly older?: OlderRows;
  /** Which rows are selected and what can be done with them; absent: rows cannot be selected. */
  readonly selection?: ListSelection | undefined;
  /** How much of the rows is shown; on a phone it stands among the filters. */
  readonly switches?: ReactNode;
  /** More buttons, beside the filter. */
  readonly tools?: ReactNode;
  /** Something between the head and the rows, such as a hint or more filters. */
  readonly children?: ReactNode;
}
