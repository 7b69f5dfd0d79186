import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import {
  type FormEvent,
  lazy,
  memo,
  type ReactNode,
  type Ref,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
} from 'react';
import { useWords } from '../../i18n/translate.ts';
import { figure } from '../../lib/format.ts';
import type { List } from '../../lib/list.ts';
import { useIsPhone } from '../../lib/phone.ts';
import type { Card, RowAction } from './column.ts';
import styles from './list.module.css';
import { ListCards } from './list-cards.tsx';
import { ListFooter } from './list-footer.tsx';
import { ListOrder, type Order } from './list-order.tsx';
import { ListTable, type RowsProps } from './list-table.tsx';
import selectionStyles from './selection.module.css';
import { type Selection, SelectionContext } from './selection.ts';

// Comes with the first selected row.
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

interface ListPageProps<Row> extends RowsProps<Row> {
  readonly title: string;
  readonly card: (row: Row) => Card;
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
  /** Which rows are selected and what can be done with them; absent: rows cannot be selected. */
  readonly selection?: { readonly of: Selection; readonly actions: readonly RowAction[] } | undefined;
  /** More buttons, beside the filter. */
  readonly tools?: ReactNode;
  /** Something between the head and the rows, such as a hint or more filters. */
  readonly children?: ReactNode;
}

/** The body that all lists share: title with count, search, filters, rows as table or cards, pager. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { list, title, aside, add, searchLabel, searchRef, selection, children } = props;
  const shown = useDeferredValue(props);
  return (
    <SelectionContext value={selection?.of}>
      <div className={styles['bar']}>
        <Title order={1}>
          {title}{' '}
          {list.total !== undefined && (
            <Text span c="dimmed" fw={400} ml={4} size="lg">
              {figure(list.total)}
            </Text>
          )}
        </Title>
        {aside}
        {searchLabel && <SearchField list={list} label={searchLabel} searchRef={searchRef} />}
        {add && (
          <Button
            component={Link}
            to={add.to}
            leftSection={<IconPlus size={16} aria-hidden />}
            className={styles['add'] ?? ''}
          >
            {add.label}
          </Button>
        )}
      </div>
      <Filters {...props} />
      {list.isPageOnly && <PageOnly />}
      {children}
      <Rows shown={shown} />
      <ListFooter list={list} />
      {selection && selection.of.count > 0 && (
        <>
          <Suspense>
            <SelectionBar actions={selection.actions} />
          </Suspense>
          <div className={selectionStyles['room']} />
        </>
      )}
    </SelectionContext>
  );
}

/** Drawn bit by bit, when there is nothing more urgent: a hundred rows at once would hold up a key stroke. */
const Rows = memo(function RowsNow<Row>({ shown }: { readonly shown: ListPageProps<Row> }) {
  const { list, card, rowName, rowKey, actions } = shown;
  const isPhone = useIsPhone();
  if (list.error && list.rows.length === 0) return <Failed list={list} />;
  if (!list.isLoading && list.rows.length === 0) return <Empty {...shown} />;
  return isPhone ? (
    <ListCards list={list} card={card} rowName={rowName} rowKey={rowKey} actions={actions} />
  ) : (
    <ListTable {...shown} />
  );
}) as <Row>(props: { readonly shown: ListPageProps<Row> }) => ReactNode;

interface SearchFieldProps<Row> {
  readonly list: List<Row>;
  readonly label: string;
  readonly searchRef: Ref<HTMLInputElement> | undefined;
}

function SearchField<Row>({ list, label, searchRef }: SearchFieldProps<Row>) {
  const { keyword } = list.state;
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === keyword) list.refresh();
    else list.change({ keyword: text.trim() });
  };
  return (
    <search className={styles['search']}>
      <form onSubmit={submit}>
        <TextInput
          {...(searchRef && { ref: searchRef })}
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() === '' && keyword !== '' && list.change({ keyword: '' })}
        />
      </form>
    </search>
  );
}

function Filters<Row>({ list, columns, statuses, quick, orders, tools }: ListPageProps<Row>) {
  const isPhone = useIsPhone();
  if (!statuses && !orders && !tools && !isPhone) return null;
  return (
    <div className={styles['filters']}>
      {statuses && (
        <div className={styles['quick']}>
          <StatusFilter list={list} statuses={statuses} />
        </div>
      )}
      {quick}
      <Group gap="xs" className={styles['push'] ?? ''}>
        <ListOrder list={list} columns={columns} orders={orders} />
        {tools}
      </Group>
    </div>
  );
}

function StatusFilter<Row>({ list, statuses }: Required<Pick<ListPageProps<Row>, 'list' | 'statuses'>>) {
  const { t, label } = useWords();
  const count = (status: string) => {
    const number = list.counts?.[status];
    return number === undefined ? '' : ` ${number}`;
  };
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('Status')}
      value={list.state.status === undefined ? 'all' : String(list.state.status)}
      onChange={(value) => list.change({ status: value === 'all' ? undefined : Number(value) })}
      data={[
        { value: 'all', label: t('All') },
        ...Object.entries(statuses).map(([status, row]) => ({
          value: status,
          label: label(row.label) + count(status),
        })),
      ]}
    />
  );
}

function PageOnly() {
  const { t } = useWords();
  return (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      {t('This server cannot filter: only the rows of this page are looked through.')}
    </Text>
  );
}

function Empty<Row>({ list, emptyWords, add, narrowing }: ListPageProps<Row>) {
  const { t } = useWords();
  const isNarrowed = list.state.keyword !== '' || list.state.status !== undefined || narrowing?.isNarrowed;
  const noMatch = list.isPageOnly ? t('None on this page') : t('Nothing matches');
  const showEverything = narrowing?.clear ?? (() => list.change({ keyword: '', status: undefined }));
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" py="lg">
        <Text c="dimmed">{isNarrowed ? noMatch : emptyWords}</Text>
        {isNarrowed ? (
          <Button variant="light" onClick={showEverything}>
            {t('Show everything')}
          </Button>
        ) : (
          add && (
            <Button component={Link} to={add.to} variant="light">
              {add.label}
            </Button>
          )
        )}
      </Stack>
    </Paper>
  );
}

function Failed<Row>({ list }: { readonly list: List<Row> }) {
  const { t } = useWords();
  return (
    <Alert color="red" title={t('The list could not be loaded')}>
      <Stack align="flex-start" gap="sm">
        <Text>{list.error?.message}</Text>
        <Button size="sm" variant="light" color="red" onClick={list.refresh}>
          {t('Try again')}
        </Button>
      </Stack>
    </Alert>
  );
}
