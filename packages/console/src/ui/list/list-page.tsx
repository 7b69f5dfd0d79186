import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { useColumnChoices } from '../../lib/list/list-display.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { useIsPhone, useIsWide } from '../../lib/page/phone.ts';
import { FiltersVisibleContext } from './filters-visible.ts';
import styles from './list.module.css';
import { ListCards } from './list-cards.tsx';
import { ListFooter } from './list-footer.tsx';
import { ListHead } from './list-head.tsx';
import { ListPhoneHead } from './list-phone-head.tsx';
import type { ListPageProps } from './list-props.ts';
import { Empty, ListFailed, PageOnlyNotice } from './list-states.tsx';
import { ListTable } from './list-table.tsx';
import selectionStyles from './selection.module.css';
import { SelectionContext } from './selection.ts';
import { visibleColumns } from './table-columns.ts';

// Loaded with the first selected row.
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

/** Common body of all lists: title with count, search, filters, rows as table or cards, pager. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { list, add, selection, children } = props;
  const shown = useDeferredValue(props);
  const isPhone = useIsPhone();
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <SelectionContext value={selection?.of}>
      <FiltersVisibleContext value={!isPhone || isUnfolded}>
        <div className={styles['list']} data-adds={add !== undefined || undefined}>
          {isPhone ? <ListPhoneHead {...props} fold={{ isUnfolded, setUnfolded }} /> : <ListHead {...props} />}
          {list.isPageOnly && <PageOnlyNotice />}
          {children}
          <Rows shown={shown} />
          <ListFooter list={list} older={props.older} />
          {selection && selection.of.count > 0 && (
            <>
              <Suspense>
                {'bar' in selection ? (
                  selection.bar
                ) : (
                  <SelectionBar actions={selection.actions} managed={props.managed} />
                )}
              </Suspense>
              <div className={selectionStyles['room']} />
            </>
          )}
        </div>
      </FiltersVisibleContext>
    </SelectionContext>
  );
}

/** Rendered at low priority: a hundred rows would delay keystrokes. */
const Rows = memo(function RowsNow<Row>({ shown }: { readonly shown: ListPageProps<Row> }) {
  const { list, card, rowName, rowKey, actions, onOpen, managed } = shown;
  const isManaged = useManaged(managed);
  const isPhone = useIsPhone();
  const isWide = useIsWide();
  const [choices] = useColumnChoices(list.name);
  if (list.error && list.rows.length === 0) return <ListFailed list={list} />;
  if (!list.isLoading && list.rows.length === 0) return <Empty {...shown} />;
  return isPhone ? (
    <ListCards
      list={list}
      card={card}
      rowName={rowName}
      rowKey={rowKey}
      actions={actions}
      onOpen={onOpen}
      isManaged={isManaged}
    />
  ) : (
    <ListTable {...shown} columns={visibleColumns(shown.columns, choices, isWide)} isManaged={isManaged} />
  );
}) as <Row>(props: { readonly shown: ListPageProps<Row> }) => ReactNode;
