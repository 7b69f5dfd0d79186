import { Skeleton, Table, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import { useWords } from '../../i18n/translate.ts';
import type { List } from '../../lib/list.ts';
import type { Column, RowAction } from './column.ts';
import styles from './list.module.css';
import { RowActions } from './row-actions.tsx';
import { PageBox, RowBox } from './selection-box.tsx';

export interface RowsProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowName: (row: Row) => string;
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly actions?: (row: Row) => readonly RowAction[];
}

/** Rows that are drawn while a list loads: as many as a screen holds. */
const mostSkeletons = 20;

/** A list as a table. Rows and cells are plain elements: the library's cost ten times as much to draw. */
export function ListTable<Row>({ list, columns, rowName, rowKey, actions }: RowsProps<Row>) {
  const { t } = useWords();
  return (
    <div className={styles['scroll']} data-refreshing={list.isRefreshing || undefined}>
      <Table stickyHeader highlightOnHover verticalSpacing={6} className={styles['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, place) => (
              <HeadCell key={column.id} column={column} list={list} isFirst={place === 0} />
            ))}
            {actions && <Table.Th className={styles['actions'] ?? ''}>{t('Actions')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.isLoading
            ? Array.from({ length: Math.min(list.state.size, mostSkeletons) }, (_, index) => (
                <SkeletonRow key={String(index)} cells={columns.length + (actions ? 1 : 0)} />
              ))
            : list.rows.map((row, index) => (
                <tr key={rowKey(row, index)} className={styles['row']}>
                  {columns.map((column, place) => (
                    <td key={column.id} data-number={column.isNumber || undefined}>
                      {place === 0 && <RowBox id={Number(rowKey(row, index))} name={rowName(row)} />}
                      {column.cell(row)}
                    </td>
                  ))}
                  {actions && (
                    <td className={styles['actions']}>
                      <RowActions actions={actions(row)} rowName={rowName(row)} />
                    </td>
                  )}
                </tr>
              ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly list: List<Row>;
  /** Holds the box that selects the page, where rows can be selected. */
  readonly isFirst: boolean;
}

function HeadCell<Row>({ column, list, isFirst }: HeadCellProps<Row>) {
  const { sort: current, direction } = list.state;
  const { sort, title, isNumber, width } = column;
  const shared = { ...(isNumber && { 'data-number': true }), ...(width !== undefined && { w: width }) };
  const box = isFirst && <PageBox />;
  if (!sort)
    return (
      <Table.Th {...shared}>
        {box}
        {title}
      </Table.Th>
    );
  const isSorted = current === sort;
  const order = direction === 'asc' ? 'ascending' : 'descending';
  const Icon = isSorted ? (direction === 'asc' ? IconChevronUp : IconChevronDown) : IconSelector;
  return (
    <Table.Th {...shared} aria-sort={isSorted ? order : 'none'}>
      {box}
      <UnstyledButton
        className={styles['sort'] ?? ''}
        onClick={() => list.change(nextOrder(isSorted, direction, sort))}
      >
        {title}
        <Icon size={14} stroke={1.6} aria-hidden data-idle={!isSorted || undefined} />
      </UnstyledButton>
    </Table.Th>
  );
}

/** Ascending, descending, then the list's own order again. */
function nextOrder(isSorted: boolean, direction: 'asc' | 'desc', sort: string) {
  if (!isSorted) return { sort, direction: 'asc' } as const;
  return direction === 'asc'
    ? ({ sort, direction: 'desc' } as const)
    : ({ sort: undefined, direction: 'asc' } as const);
}

function SkeletonRow({ cells }: { readonly cells: number }) {
  return (
    <Table.Tr>
      {Array.from({ length: cells }, (_, index) => (
        <Table.Td key={String(index)}>
          <Skeleton height={14} my={9} width={index === 0 ? '40%' : '70%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
