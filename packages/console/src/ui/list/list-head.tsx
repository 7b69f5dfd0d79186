import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { DisplayButton } from './display-button.tsx';
import styles from './list.module.css';
import { ListOrder } from './list-order.tsx';
import type { ListPageProps } from './list-props.ts';
import { ListSearch } from './list-search.tsx';
import { useToolbarHeight } from './toolbar-height.ts';

/** Sticky toolbar of a list: title, search, quick filters, tools. */
export function ListHead<Row>(props: ListPageProps<Row>) {
  const { list, columns, aside, searchLabel, searchRef, statuses, quick, orders, switches, tools } = props;
  const band = useRef<HTMLDivElement>(null);
  useToolbarHeight(band);
  const hasTools = statuses || quick || orders || switches || tools;
  return (
    <div ref={band} className={styles['band']} data-band>
      <div className={styles['bar']}>
        <ListTitle {...props} />
        {aside}
        {searchLabel && <ListSearch list={list} label={searchLabel} searchRef={searchRef} />}
        <div className={`${styles['ends']} ${styles['push']}`}>
          <DisplayButton list={list.name} columns={columns} />
          <AddButton {...props} />
        </div>
      </div>
      {hasTools && (
        <div className={styles['filters']}>
          <StatusFilter {...props} />
          {quick}
          <Group gap="xs" className={styles['push'] ?? ''}>
            <ListOrder list={list} columns={columns} orders={orders} />
            {switches}
            {tools}
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

export function AddButton<Row>({ add }: ListPageProps<Row>) {
  return (
    add && (
      <Button
        component={Link}
        to={add.to}
        leftSection={<IconPlus size={16} aria-hidden />}
        className={styles['add'] ?? ''}
      >
        {add.label}
      </Button>
    )
  );
}

export function StatusFilter<Row>({ list, statuses }: ListPageProps<Row>) {
  const { t, label } = useTranslation();
  const count = (status: string) => {
    const number = list.counts?.[status];
    return number === undefined ? '' : ` ${number}`;
  };
  if (!statuses) return null;
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('Status')}
      className={styles['statuses'] ?? ''}
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
