import { isUsagePeriod, type Usage, type UsageHeading } from '@headgate/contract';
import { Anchor, Box, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { use } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { columnDecimals } from '../../lib/format/column-decimals.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './usage.module.css';
import { axisText, headingLabel, measuresInPoints, measureValue, useMeasureFormat } from './usage-labels.ts';
import { drillDown, logSearch, UsageLogLink } from './usage-links.ts';
import type { TableCell, TableRow } from './usage-sheet.ts';
import type { ShownMeasure, UsageState } from './usage-state.ts';

interface UsageTableProps {
  readonly usage: Usage;
  readonly state: UsageState;
  readonly rows: readonly TableRow[];
  readonly titles: readonly string[];
  readonly isAdmin: boolean;
  change(change: Partial<UsageState>): void;
}

/** The chart's data as a table; each number links to its logs. */
export function UsageTable({ usage, state, rows, titles, isAdmin, change }: UsageTableProps) {
  const translation = useTranslation();
  const { t } = translation;
  const decimals = useColumnDecimals(rows, usage.columns.length > 0);
  return (
    <Box component="section" className={styles['scroll'] ?? ''} aria-label={t('Usage table')} tabIndex={0}>
      <Table
        className={styles['table'] ?? ''}
        verticalSpacing={6}
        data-dense={usage.columns.length > manyColumns || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={styles['name'] ?? ''}>
              {axisText(t, state.rows, state.tagKey)}
            </Table.Th>
            {titles.map((title, at) => (
              <Title
                key={keyOf(usage.columns[at], title)}
                title={title}
                measure={usage.columns.length === 0 ? rows[0]?.cells[at]?.measure : undefined}
                isTotal={usage.columns.length > 0 && at === usage.columns.length}
                hour={state.columns === 'hour' ? usage.columns[at]?.from : undefined}
                hourBefore={usage.columns[at - 1]?.from}
                state={state}
                change={change}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ heading, cells }) => (
            <Table.Tr key={keyOf(heading, 'total')} data-total={heading === undefined || undefined}>
              <Table.Th scope="row" className={styles['name'] ?? ''}>
                {heading ? <RowName heading={heading} state={state} isAdmin={isAdmin} change={change} /> : t('Total')}
              </Table.Th>
              {cells.map((cell, at) => (
                <Table.Td
                  key={keyOf(cell.column, cell.measure)}
                  data-number
                  // Used by the phone layout as label, and to hide empty cells.
                  data-title={titles[at]}
                  data-nothing={isEmptyCell(cell) || undefined}
                  data-row-total={(usage.columns.length > 0 && cell.column === undefined) || undefined}
                  data-margin={usage.columns.length === 0 ? marginColumns[cell.measure] : undefined}
                >
                  <CellValue cell={cell} usage={usage} state={state} digits={decimals(at)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

/** Number of columns from which the cells are narrower. */
const manyColumns = 10;

/** Columns that stay visible while the others scroll. */
const marginColumns: Readonly<Partial<Record<ShownMeasure, string>>> = { margin: 'amount', margin_share: 'share' };

const measureAttributes = (measure: ShownMeasure | undefined) =>
  measure && { 'data-wraps': true, 'data-margin': marginColumns[measure] };

interface ColumnTitleProps extends Pick<UsageTableProps, 'state' | 'change'> {
  readonly title: string;
  /** Undefined for a column of a subject or time. */
  readonly measure: ShownMeasure | undefined;
  readonly isTotal: boolean;
  /** Start of the hour of this column and of the one before it, in seconds. */
  readonly hour: number | undefined;
  readonly hourBefore: number | undefined;
}

/** Column title; a click sorts the rows by a measure, a second one in reverse. */
function Title({ title, measure, isTotal, hour, hourBefore, state, change }: ColumnTitleProps) {
  const isSortable = measure !== undefined && measure !== 'margin_share' && !isUsagePeriod(state.rows);
  if (!isSortable) {
    return (
      <Table.Th scope="col" data-number data-row-total={isTotal || undefined} {...measureAttributes(measure)}>
        <HourTitle title={title} hour={hour} hourBefore={hourBefore} />
      </Table.Th>
    );
  }
  const isSorted = state.measure === measure;
  const next = isSorted && state.order === 'desc' ? 'asc' : 'desc';
  return (
    <Table.Th
      scope="col"
      data-number
      {...measureAttributes(measure)}
      aria-sort={isSorted ? (state.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton className={styles['sort'] ?? ''} onClick={() => change({ measure, order: next })}>
        {title}
        {isSorted && <span aria-hidden>{state.order === 'asc' ? ' ↑' : ' ↓'}</span>}
      </UnstyledButton>
    </Table.Th>
  );
}

/** Title of a column; for an hour, below its date in the first column of each day. Screen readers get both in each column. */
function HourTitle({ title, hour, hourBefore }: Pick<ColumnTitleProps, 'title' | 'hour' | 'hourBefore'>) {
  const { language } = useTranslation();
  if (hour === undefined) return title;
  const dateOf = (seconds: number) =>
    new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(seconds * 1000);
  const isNewDay = hourBefore === undefined || dateOf(hourBefore) !== dateOf(hour);
  return (
    <>
      <span className={styles['unseen']}>{title}</span>
      <span className={styles['hour']} aria-hidden title={title}>
        {isNewDay && <span>{dateOf(hour)}</span>}
        {formatTime(hour).slice(11, 16)}
      </span>
    </>
  );
}

interface RowNameProps extends Pick<UsageTableProps, 'state' | 'isAdmin' | 'change'> {
  readonly heading: UsageHeading;
}

/** Row name; clicking it shows the row's breakdown. */
function RowName({ heading, state, isAdmin, change }: RowNameProps) {
  const translation = useTranslation();
  const text = headingLabel(heading, state.rows, translation);
  const below = drillDown(state.rows, heading, isAdmin, state);
  if (!below) return text;
  return (
    <UnstyledButton
      className={styles['drill'] ?? ''}
      title={translation.t('Show details of {name}', { name: text })}
      onClick={() => change(below)}
    >
      {text}
    </UnstyledButton>
  );
}

/** Most decimals of a column, and of a table whose columns all show the same measure. */
const maxDecimals = 4;
const maxSharedDecimals = 3;

/** Decimals of the amounts of a column, or of the whole table if all columns show the same measure. */
function useColumnDecimals(rows: readonly TableRow[], isOneMeasure: boolean): (at: number) => number {
  const { quota_per_unit } = useStatus();
  const valueIn = ({ sums, measure }: TableCell) => ((sums && measureValue(sums, measure)) ?? 0) / quota_per_unit;
  if (isOneMeasure) {
    const shared = Math.min(maxSharedDecimals, columnDecimals(rows.flatMap(({ cells }) => cells.map(valueIn))));
    return () => shared;
  }
  return (at) =>
    Math.min(maxDecimals, columnDecimals(rows.flatMap(({ cells }) => (cells[at] ? [valueIn(cells[at])] : []))));
}

/** Formatter for cells. An amount that would round to zero is shown as less than the smallest amount of its column. */
function useCellFormat() {
  const format = useMeasureFormat();
  const { display_in_currency, quota_per_unit } = useStatus();
  return (value: number, measure: ShownMeasure, digits: number): string => {
    const smallest = quota_per_unit * 10 ** -digits;
    const isTiny =
      value !== 0 && display_in_currency && measuresInPoints.has(measure) && Math.abs(value) < smallest / 2;
    if (!isTiny) return format(value, measure, digits);
    return `${value < 0 ? '>-' : '<'}${format(smallest, measure, digits)}`;
  };
}

interface CellValueProps extends Pick<UsageTableProps, 'usage' | 'state'> {
  readonly cell: TableCell;
  readonly digits: number;
}

function CellValue({ cell, usage, state, digits }: CellValueProps) {
  const { t } = useTranslation();
  const format = useCellFormat();
  const logLink = use(UsageLogLink);
  const { sums, measure, row, column } = cell;
  if (!sums) {
    return (
      <Text span c="dimmed" title={t('No data: before the first log')}>
        –<span className={styles['unseen']}>{t('No data')}</span>
      </Text>
    );
  }
  const value = measureValue(sums, measure);
  if (value === null) {
    return (
      <Text span c="dimmed">
        {measure === 'cost' ? t('Unknown') : '–'}
      </Text>
    );
  }
  const text = format(value, measure, digits);
  const places = [placeOf(state.rows, row), placeOf(state.columns, column)];
  const search = sums.requests > 0 ? logSearch(usage, places, measure, state) : undefined;
  const isLoss = value < 0;
  if (value === 0 || !search)
    return (
      <Text span {...(value === 0 && { c: 'dimmed' })} {...(isLoss && { c: 'red' })}>
        {text}
      </Text>
    );
  return (
    <Anchor component={Link} {...logLink(search)} className={styles['value'] ?? ''} data-loss={isLoss || undefined}>
      {text}
    </Anchor>
  );
}

/** True for an empty cell if there are several columns. */
const isEmptyCell = ({ column, sums, measure }: TableCell): boolean =>
  column !== undefined && (!sums || measureValue(sums, measure) === 0);

const placeOf = (axis: UsageState['columns'], heading: UsageHeading | undefined) => ({ axis, heading });

/**
 * Key of a row or column: with the user, because token names repeat, and the start time, because local hours repeat when
 * daylight saving time ends.
 */
const keyOf = (heading: UsageHeading | undefined, otherwise: string): string =>
  heading ? [heading.key, heading.username, heading.from, heading.is_others].join(' ') : otherwise;
