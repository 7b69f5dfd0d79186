import { Button, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { List } from '../../lib/list/list.ts';
import { useColumnChoices } from '../../lib/list/list-display.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { useIsPhone, useIsWide } from '../../lib/page/phone.ts';
import { EmptyState } from '../empty-state.tsx';
import { LoadFailed } from '../load-failed.tsx';
import { FilterBarSlot } from './filter-bar-slot.tsx';
import { FiltersButton } from './filters-button.tsx';
import styles from './list.module.css';
import { ListCards } from './list-cards.tsx';
import { ListFooter } from './list-footer.tsx';
import { AddButton, type FoldableProps, ListHead, ListTitle, StatusFilter } from './list-head.tsx';
import { ListOrder } from './list-order.tsx';
import type { ListPageProps } from './list-props.ts';
import { ListSearch } from './list-search.tsx';
import { ListTable } from './list-table.tsx';
import selectionStyles from './selection.module.css';
import { SelectionContext } from './selection.ts';
import { visibleColumns } from './table-columns.ts';
import { useToolbarHeight } from './toolbar-height.ts';

// Loaded with the first selected row.
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

/** Common body of all lists: title with count, search, filters, rows as table or cards, pager. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { list, add, selection, filters, children } = props;
  const isPhone = useIsPhone();
  const [isUnfolded, setUnfolded] = useState(!isPhone && Boolean(filters && filters.count > 0));
  const fold = { isUnfolded, setUnfolded };
  return (
    <SelectionContext value={selection?.of}>
      <div className={styles['list']} data-adds={add !== undefined || undefined}>
        {isPhone ? <ListPhoneHead {...props} fold={fold} /> : <ListHead {...props} fold={fold} />}
        {filters && isUnfolded && <FilterBarSlot lines={filters.lines}>{filters.bar}</FilterBarSlot>}
        {list.isPageOnly && <PageOnlyNotice />}
        {children}
        <Rows {...props} />
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
    </SelectionContext>
  );
}

/** Rendered at low priority and separately from the rest of the page: a hundred rows would delay keystrokes. */
function Rows<Row>(props: ListPageProps<Row>) {
  return <DeferredRows shown={useDeferredValue(props)} />;
}

const DeferredRows = memo(function DeferredRows<Row>({ shown }: { readonly shown: ListPageProps<Row> }) {
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

function PageOnlyNotice() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      {t('This server does not support filters. Only rows on this page are filtered.')}
    </Text>
  );
}

function Empty<Row>({ list, emptyText, add, customFilters }: ListPageProps<Row>) {
  const { t } = useTranslation();
  const isNarrowed = list.state.keyword !== '' || list.state.status !== undefined || customFilters?.isNarrowed;
  const noMatch = list.isPageOnly ? t('No results on this page') : t('No results');
  const showEverything = customFilters?.clear ?? (() => list.change({ keyword: '', status: undefined }));
  return (
    <Paper withBorder p="xl">
      <EmptyState text={isNarrowed ? noMatch : emptyText} isNarrowed={isNarrowed}>
        {isNarrowed ? (
          <Button variant="light" onClick={showEverything}>
            {t('Clear filters')}
          </Button>
        ) : (
          add && <EmptyAdd {...add} />
        )}
      </EmptyState>
    </Paper>
  );
}

function EmptyAdd({ label, to, onClick }: NonNullable<ListPageProps<unknown>['add']>) {
  return to === undefined ? (
    <Button variant="light" onClick={() => onClick?.()}>
      {label}
    </Button>
  ) : (
    <Button component={Link} to={to} variant="light">
      {label}
    </Button>
  );
}

function ListFailed<Row>({ list }: { readonly list: List<Row> }) {
  const { t } = useTranslation();
  return <LoadFailed title={t('The list could not be loaded')} error={list.error} onRetry={list.refresh} />;
}

/** Phone variant: the search stays visible, and the rest can be expanded. */
function ListPhoneHead<Row>({ fold, ...props }: FoldableProps<Row>) {
  const { list, columns, aside, statuses, quick, orders, switches, tools, searchLabel } = props;
  const order = <ListOrder list={list} columns={columns} orders={orders} />;
  return (
    <>
      <div className={styles['bar']}>
        <ListTitle {...props} />
        {searchLabel && aside}
        {!searchLabel && <div className={styles['tools']}>{order}</div>}
        {tools && <div className={styles['tools']}>{tools}</div>}
        <AddButton {...props} />
      </div>
      {!searchLabel && aside && <div className={styles['filters']}>{aside}</div>}
      {searchLabel && <SearchToolbar {...props} fold={fold} />}
      {(statuses || quick) && (
        <div className={styles['quick']}>
          <StatusFilter {...props} />
          {quick}
        </div>
      )}
      {searchLabel && fold.isUnfolded && (
        <Group gap="sm" className={styles['filters'] ?? ''}>
          {order}
          {switches}
        </Group>
      )}
    </>
  );
}

function SearchToolbar<Row>({ fold, ...props }: FoldableProps<Row>) {
  const { list, searchLabel = '', searchRef, customFilters } = props;
  const band = useRef<HTMLDivElement>(null);
  useToolbarHeight(band);
  return (
    <div ref={band} className={styles['searchBand']}>
      <ListSearch list={list} label={searchLabel} searchRef={searchRef} />
      <FiltersButton fold={fold} isActive={customFilters?.isNarrowed === true} />
    </div>
  );
}
