import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import type { List } from '../../lib/list/list.ts';
import type { Card, RowAction } from './column.ts';
import styles from './list.module.css';
import { ManagedName, RowActionsCell } from './managed-name.tsx';
import { openOnClick } from './open-row.ts';
import { PageCheckbox, RowCheckbox } from './selection-checkbox.tsx';

interface ListCardsProps<Row> {
  readonly list: List<Row>;
  readonly card: (row: Row) => Card;
  readonly rowName: (row: Row) => string;
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly isManaged: (key: string | number) => boolean;
}

/** The list on a phone: one card per row instead of a table that scrolls sideways. */
export function ListCards<Row>({ list, ...props }: ListCardsProps<Row>) {
  const { t } = useTranslation();
  if (list.isLoading) {
    return (
      <Stack gap="xs">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={String(index)} height={96} radius="md" />
        ))}
      </Stack>
    );
  }
  return (
    <>
      <PageCheckbox label={t('Select all on this page')} />
      <Stack gap="xs" component="ul" className={styles['cards'] ?? ''}>
        {list.rows.map((row, index) => {
          const key = props.rowKey(row, index);
          return <RowCard key={key} {...props} row={row} id={key} />;
        })}
      </Stack>
    </>
  );
}

interface RowCardProps<Row> extends Omit<ListCardsProps<Row>, 'list' | 'rowKey'> {
  readonly row: Row;
  readonly id: string | number;
}

function RowCard<Row>({ row, id, card, rowName, actions, onOpen, isManaged: isManagedKey }: RowCardProps<Row>) {
  const { title, status, facts, lines } = card(row);
  const isManaged = isManagedKey(id);
  return (
    <Paper
      component="li"
      withBorder
      px="xs"
      py={8}
      tabIndex={-1}
      data-row=""
      {...openOnClick(onOpen && (() => onOpen(row)))}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start" className={styles['cardHead'] ?? ''}>
        <Text
          component="div"
          fw={600}
          className={styles['cardTitle'] ?? ''}
          data-beside-menu={actions !== undefined || undefined}
        >
          <RowCheckbox id={Number(id)} name={rowName(row)} />
          {isManaged ? <ManagedName>{title}</ManagedName> : title}
        </Text>
        <Group gap={4} wrap="nowrap">
          {status}
          {actions && (
            <RowActionsCell actions={actions(row).map(withoutPrimary)} rowName={rowName(row)} isManaged={isManaged} />
          )}
        </Group>
      </Group>
      {lines ?? (
        <dl className={styles['facts']}>
          {facts.map(({ name, value, isWide, isPlain }) => (
            <div key={name} data-wide={isWide || undefined}>
              <dt data-hidden={isPlain || undefined}>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Paper>
  );
}

/** A card has a single menu with all actions. */
const withoutPrimary = (action: RowAction): RowAction => ({ ...action, isPrimary: false });
