import { ActionIcon, Button, Group, NativeSelect, Popover, SegmentedControl, Text, Title } from '@mantine/core';
import { IconColumns3, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { FiltersButton, type Fold } from './filters-button.tsx';
import styles from './list.module.css';
import { ListOrder } from './list-order.tsx';
import type { ListPageProps } from './list-props.ts';
import { ListSearch } from './list-search.tsx';
import type { ColumnName } from './table-columns.ts';
import { useToolbarHeight } from './toolbar-height.ts';
import { ViewsSlot } from './views-slot.tsx';

// Loaded on first use.
const DisplayPanel = lazy(async () => ({ default: (await import('./display-panel.tsx')).DisplayPanel }));

interface DisplayButtonProps {
  readonly list: string;
  readonly columns: readonly ColumnName[];
}

/** Opens the display settings of a list. */
function DisplayButton({ list, columns }: DisplayButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const buttonLabel = t('Columns and density');
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" withinPortal returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={buttonLabel}
          title={buttonLabel}
          onClick={() => setOpen(!isOpen)}
        >
          <IconColumns3 size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={buttonLabel}>
        <Suspense>
          <DisplayPanel list={list} columns={columns} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

export type FoldableProps<Row> = ListPageProps<Row> & { readonly fold: Fold };

/** Sticky toolbar of a list: title, search and tools; below, quick filters, order and views. */
export function ListHead<Row>({ fold, ...props }: FoldableProps<Row>) {
  const { list, columns, aside, searchLabel, searchRef, statuses, quick, orders, filters, switches, tools } = props;
  const band = useRef<HTMLDivElement>(null);
  useToolbarHeight(band);
  const hasFilters = statuses || quick || orders || filters || switches;
  return (
    <div ref={band} className={styles['band']} data-band>
      <div className={styles['bar']}>
        <ListTitle {...props} />
        {aside}
        {searchLabel && <ListSearch list={list} label={searchLabel} searchRef={searchRef} />}
        <div className={`${styles['ends']} ${styles['push']}`}>
          {tools}
          <DisplayButton list={list.name} columns={columns} />
          <AddButton {...props} />
        </div>
      </div>
      {hasFilters && (
        <div className={styles['filters']}>
          <StatusFilter {...props} />
          {quick}
          {filters && <FiltersButton fold={fold} isActive={filters.count > 0} count={filters.count} />}
          <Group gap="xs" className={styles['push'] ?? ''}>
            <ListOrder list={list} columns={columns} orders={orders} />
            {switches}
            {filters && <ViewsSlot list={filters.list} />}
          </Group>
        </div>
      )}
    </div>
  );
}

export function ListTitle<Row>({ list, title }: ListPageProps<Row>) {
  return (
    <Title order={1}>
      {title}{' '}
      {list.total !== undefined && (
        <Text span c="dimmed" fw={400} ml={4} size="lg">
          {formatNumber(list.total)}
          {list.hasMore && '+'}
        </Text>
      )}
    </Title>
  );
}

/** Icon-only round button on phones. */
export function AddButton<Row>({ add }: ListPageProps<Row>) {
  if (!add) return null;
  const { label, to, onClick } = add;
  const shared = {
    leftSection: <IconPlus size={16} aria-hidden />,
    className: styles['add'] ?? '',
    children: <span className={styles['addLabel']}>{label}</span>,
  };
  return to === undefined ? (
    <Button {...shared} onClick={() => onClick?.()} />
  ) : (
    <Button component={Link} to={to} {...shared} />
  );
}

/** A select on phones, where it fits beside the other filters. */
export function StatusFilter<Row>({ list, statuses }: ListPageProps<Row>) {
  const { t, label } = useTranslation();
  const isPhone = useIsPhone();
  if (!statuses) return null;
  const count = (status: string) => {
    const number = list.counts?.[status];
    return number === undefined ? '' : ` ${number}`;
  };
  const choose = (value: string) => list.change({ status: value === 'all' ? undefined : Number(value) });
  const shared = {
    'aria-label': t('Status'),
    value: list.state.status === undefined ? 'all' : String(list.state.status),
    data: [
      { value: 'all', label: isPhone ? t('All statuses') : t('All') },
      ...Object.entries(statuses).map(([value, row]) => ({ value, label: label(row.label) + count(value) })),
    ],
  };
  return isPhone ? (
    <NativeSelect size="xs" {...shared} onChange={(event) => choose(event.currentTarget.value)} />
  ) : (
    <SegmentedControl size="sm" {...shared} onChange={choose} />
  );
}
