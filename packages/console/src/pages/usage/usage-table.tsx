import type { Usage, UsageHeading } from '@headgate/contract';
import { Anchor, Box, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import styles from './usage.module.css';
import { axisLabels, headingText, measureValue, useMeasureFormat } from './usage-labels.ts';
import { logSearch } from './usage-links.ts';
import type { TableCell, TableRow } from './usage-sheet.ts';
import type { UsageState } from './usage-state.ts';

interface UsageTableProps {
  readonly usage: Usage;
  readonly state: UsageState;
  readonly rows: readonly TableRow[];
  readonly titles: readonly string[];
}

/** The chart's data as a table; each number links to its logs. */
export function UsageTable({ usage, state, rows, titles }: UsageTableProps) {
  const translation = useTranslation();
  const { t } = translation;
  return (
    <Box component="section" className={styles['scroll'] ?? ''} aria-label={t('Usage table')} tabIndex={0}>
      <Table className={styles['table'] ?? ''} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={styles['name'] ?? ''}>
              {t(axisLabels[state.rows])}
            </Table.Th>
            {titles.map((title, at) => (
              <Table.Th key={keyOf(usage.columns[at], title)} scope="col" data-number>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ heading, cells }) => (
            <Table.Tr key={keyOf(heading, 'total')} data-total={heading === undefined || undefined}>
              <Table.Th scope="row" className={styles['name'] ?? ''}>
                {heading ? headingText(heading, state.rows, translation) : t('Total')}
              </Table.Th>
              {cells.map((cell, at) => (
                <Table.Td
                  key={keyOf(cell.column, cell.measure)}
                  data-number
                  // Used by the phone layout as label, and to hide empty cells.
                  data-title={titles[at]}
                  data-nothing={isEmptyCell(cell) || undefined}
                >
                  <CellValue cell={cell} usage={usage} state={state} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function CellValue({ cell, usage, state }: { readonly cell: TableCell } & Pick<UsageTableProps, 'usage' | 'state'>) {
  const { t } = useTranslation();
  const format = useMeasureFormat();
  const { sums, measure, row, column } = cell;
  if (!sums) {
    return (
      <Text span c="dimmed" title={t('No data: logs start later')}>
        –<span className={styles['unseen']}>{t('No data')}</span>
      </Text>
    );
  }
  const value = measureValue(sums, measure);
  const text = format(value, measure);
  const places = [placeOf(state.rows, row), placeOf(state.columns, column)];
  const search = sums.requests > 0 ? logSearch(usage, places, measure, state.filters) : undefined;
  if (value === 0 || !search)
    return (
      <Text span {...(value === 0 && { c: 'dimmed' })}>
        {text}
      </Text>
    );
  return (
    <Anchor component={Link} to="/log" search={query(search)} className={styles['value'] ?? ''}>
      {text}
    </Anchor>
  );
}

/** True for an empty cell among several columns. */
const isEmptyCell = ({ column, sums, measure }: TableCell): boolean =>
  column !== undefined && (!sums || measureValue(sums, measure) === 0);

const placeOf = (axis: UsageState['columns'], heading: UsageHeading | undefined) => ({ axis, heading });

/** Tokens of two users may share a name, and two hours of a year a time. */
const keyOf = (heading: UsageHeading | undefined, otherwise: string): string =>
  heading ? [heading.key, heading.username, heading.from, heading.is_others].join(' ') : otherwise;
