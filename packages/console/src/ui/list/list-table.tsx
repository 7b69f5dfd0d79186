import { Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { List } from '../../lib/list/list.ts';
import { useDensity } from '../../lib/list/list-display.ts';
import type { Column, RowAction } from './column.ts';
import type { RowsProps } from './list-props.ts';
import { ManagedName, RowActionsCell } from './managed-name.tsx';
import { openOnClick } from './open-row.ts';
import { PageCheckbox, RowCheckbox } from './selection-checkbox.tsx';
import styles from './table.module.css';
import { columnWidths, emptyCellsBeforeLast } from './table-columns.ts';

/** Maximum placeholder rows while loading: one screen. */
const maxSkeletonRows = 20;

interface ListTableProps<Row> extends RowsProps<Row> {
  readonly isManaged: (key: string | number) => boolean;
}

/** A list as a table. Uses plain elements, because Mantine's table renders ten times slower. */
export function ListTable<Row>({ list, columns, rowName, rowKey, actions, onOpen, isManaged }: ListTableProps<Row>) {
  const { t } = useTranslation();
  const [density] = useDensity();
  const element = useRef<HTMLDivElement>(null);
  const { least, widths } = columnWidths(columns, actions !== undefined);
  const isTooNarrow = useIsNarrower(element, least);
  return (
    <div ref={element} className={styles['place']}>
      <div
        className={styles['frame']}
        data-scrolls={isTooNarrow || undefined}
        data-refreshing={list.isRefreshing || undefined}
      >
        <table
          className={styles['table']}
          aria-busy={list.isLoading || undefined}
          data-density={density}
          style={{ minWidth: least }}
        >
          <thead>
            <tr>
              {columns.map((column, index) => (
                <HeadCell key={column.id} column={column} list={list} width={widths[index]} isFirst={index === 0} />
              ))}
              {actions && (
                <th className={styles['actions']} style={{ width: widths.at(-1) }}>
                  {t('Actions')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {list.isLoading
              ? Array.from({ length: Math.min(list.state.size, maxSkeletonRows) }, (_, index) => (
                  <SkeletonRow key={String(index)} cells={columns.length + (actions ? 1 : 0)} />
                ))
              : list.rows.map((row, index) => (
                  <BodyRow
                    key={rowKey(row, index)}
                    row={row}
                    id={Number(rowKey(row, index))}
                    name={rowName(row)}
                    columns={columns}
                    actions={actions?.(row)}
                    onOpen={onOpen && (() => onOpen(row))}
                    isManaged={isManaged(rowKey(row, index))}
                  />
                ))}
          </tbody>
        </table>
      </div>
      <TruncationTooltips of={element} />
    </div>
  );
}

/** True if the element is narrower than this width. */
function useIsNarrower(place: RefObject<HTMLElement | null>, min: number): boolean {
  const [isNarrower, setNarrower] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => setNarrower(element.clientWidth < min);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, min]);
  return isNarrower;
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly id: number;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly actions: readonly RowAction[] | undefined;
  readonly onOpen: (() => void) | undefined;
  readonly isManaged: boolean;
}

function BodyRow<Row>({ row, id, name, columns, actions, onOpen, isManaged }: BodyRowProps<Row>) {
  const blanks = emptyCellsBeforeLast(columns, row);
  const last = columns.length - 1;
  const cells = columns.filter((_, index) => index === last || index < last - blanks);
  return (
    <tr tabIndex={-1} data-row={actions?.find(({ to }) => to)?.to ?? ''} {...openOnClick(onOpen)}>
      {cells.map((column, index) => (
        <td
          key={column.id}
          data-number={column.isNumber || undefined}
          colSpan={blanks > 0 && index === cells.length - 1 ? blanks + 1 : undefined}
        >
          {index === 0 && <RowCheckbox id={id} name={name} />}
          {isManaged && column.isName ? <ManagedName>{column.cell(row)}</ManagedName> : column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className={styles['actions']}>
          <RowActionsCell actions={actions} rowName={name} isManaged={isManaged} />
        </td>
      )}
    </tr>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly list: List<Row>;
  readonly width: string | undefined;
  /** The first column contains the checkbox that selects the page. */
  readonly isFirst: boolean;
}

function HeadCell<Row>({ column, list, width, isFirst }: HeadCellProps<Row>) {
  const { sort: current, direction } = list.state;
  const { sort, title, isNumber } = column;
  const shared = { 'data-number': isNumber || undefined, style: { width } };
  const box = isFirst && <PageCheckbox />;
  if (!sort)
    return (
      <th {...shared}>
        {box}
        {title}
      </th>
    );
  const isSorted = current === sort;
  const order = direction === 'asc' ? 'ascending' : 'descending';
  const Icon = isSorted ? (direction === 'asc' ? IconChevronUp : IconChevronDown) : IconSelector;
  return (
    <th {...shared} aria-sort={isSorted ? order : 'none'}>
      {box}
      <button
        type="button"
        className={styles['sort']}
        onClick={() => list.change(nextOrder(isSorted, direction, sort))}
      >
        {title}
        <Icon size={14} stroke={1.6} aria-hidden data-idle={!isSorted || undefined} />
      </button>
    </th>
  );
}

/** Cycles through ascending, descending and default order. */
function nextOrder(isSorted: boolean, direction: 'asc' | 'desc', sort: string) {
  if (!isSorted) return { sort, direction: 'asc' } as const;
  return direction === 'asc'
    ? ({ sort, direction: 'desc' } as const)
    : ({ sort: undefined, direction: 'asc' } as const);
}

/** Plain elements, because up to 200 of Mantine's skeletons would delay the first response. */
const SkeletonRow = memo(function SkeletonRow({ cells }: { readonly cells: number }) {
  return (
    <tr>
      {Array.from({ length: cells }, (_, index) => (
        <td key={String(index)}>
          <div className={styles['skeleton']} />
        </td>
      ))}
    </tr>
  );
});

interface TruncatedText {
  readonly target: HTMLElement;
  readonly text: string;
}

/**
 * Tooltips with the full text of truncated cells, on hover and focus. One instance per table, so that cells stay
 * lightweight.
 */
function TruncationTooltips({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  const [cut, setCut] = useState<TruncatedText>();
  useEffect(() => {
    const table = of.current;
    if (!table) return;
    const look = ({ target }: Event) => {
      const found = target instanceof Element ? truncatedTextAt(target) : undefined;
      setCut((before) => (before?.target === found?.target ? before : found));
    };
    const forget = () => setCut(undefined);
    const listened = { pointerover: look, focusin: look, pointerleave: forget, focusout: forget };
    for (const [name, listener] of Object.entries(listened)) table.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listened)) table.removeEventListener(name, listener);
    };
  }, [of]);
  return (
    cut && (
      <Tooltip key={cut.text} opened target={cut.target} label={cut.text} multiline maw={420} position="bottom-start" />
    )
  );
}

/** Elements with their own tooltip are skipped. */
function truncatedTextAt(at: Element): TruncatedText | undefined {
  const target = at.closest('td');
  if (!target || at.closest('[data-hint]')) return undefined;
  for (let part: Element | null = at; part && target.contains(part); part = part.parentElement)
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) return { target, text: fullTextOf(part) };
  return undefined;
}

function fullTextOf(part: Element): string {
  const hint = part.querySelector<HTMLElement>('[data-words]')?.dataset['words'];
  return (
    hint ??
    [...part.childNodes]
      .map(({ textContent }) => textContent)
      .filter(Boolean)
      .join(' ')
  );
}
