import { ActionIcon, Group, NativeSelect } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import type { List } from '../../lib/list/list.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import type { Column } from './column.ts';
import type { Order } from './list-props.ts';

interface ListOrderProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  /** Orders besides those of the columns. */
  readonly orders?: readonly Order[] | undefined;
}

const columnPrefix = 'column:';

/** List order as a select. On a phone it includes the columns, because cards have no headers to click. */
export function ListOrder<Row>({ list, columns, orders }: ListOrderProps<Row>) {
  const { t } = useTranslation();
  const { order, sort, direction } = list.state;
  const sortable = columns.flatMap(({ sort: value, title }) =>
    value === undefined ? [] : [{ value: columnPrefix + value, label: title }],
  );
  const isPhone = useIsPhone();
  const offered = isPhone ? sortable : [];
  if (!orders && offered.length === 0) return null;
  const isByColumn = offered.some(({ value }) => value === columnPrefix + sort);
  const isRising = direction === 'asc';
  const choose = (value: string) => {
    if (value.startsWith(columnPrefix)) list.change({ sort: value.slice(columnPrefix.length), direction: 'asc' });
    else list.change({ order: value, sort: undefined });
  };
  const Icon = isRising ? IconSortAscending : IconSortDescending;
  const directionLabel = isRising ? t('Sort descending') : t('Sort ascending');
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="sm"
        w={isPhone ? 136 : 190}
        aria-label={t('Sort order')}
        data={[
          ...(orders ?? [{ value: '', label: t('Default order') }]),
          ...(offered.length > 0 ? [{ group: t('By column'), items: offered }] : []),
        ]}
        value={isByColumn ? columnPrefix + sort : order}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {isByColumn && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={directionLabel}
          title={directionLabel}
          onClick={() => list.change({ sort, direction: isRising ? 'desc' : 'asc' })}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
