import { ActionIcon, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import styles from './routing.module.css';

interface RoutingRowsProps<Row> {
  readonly title: string;
  readonly help: string;
  readonly empty: string;
  readonly addLabel: string;
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly nameOf: (row: Row) => string;
  readonly factsOf: (row: Row) => ReactNode;
  /** Undefined: a new one. */
  readonly onEdit: (row: Row | undefined) => void;
  readonly onRemove: (row: Row) => void;
}

/** A short list of rows that are edited in a dialog. */
export function RoutingRows<Row extends { readonly id: number }>(props: RoutingRowsProps<Row>) {
  const { title, help, empty, addLabel, rows, error, onRetry, onEdit } = props;
  const { t } = useWords();
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <div className={styles['head']}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onEdit(undefined)}>
          {addLabel}
        </Button>
      </div>
      <Text size="sm" c="dimmed">
        {help}
      </Text>
      {error && !rows && <LoadFailed title={t('This could not be loaded')} error={error} onRetry={onRetry} />}
      {!rows && !error && <Skeleton height={64} />}
      {rows?.length === 0 && (
        <Paper withBorder p="md">
          <Text c="dimmed" ta="center">
            {empty}
          </Text>
        </Paper>
      )}
      {rows && rows.length > 0 && (
        <ul className={styles['rows']}>
          {rows.map((row) => (
            <RoutingRow key={row.id} row={row} {...props} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RoutingRow<Row>({
  row,
  nameOf,
  factsOf,
  onEdit,
  onRemove,
}: Pick<RoutingRowsProps<Row>, 'nameOf' | 'factsOf' | 'onEdit' | 'onRemove'> & { readonly row: Row }) {
  const { t } = useWords();
  const name = nameOf(row);
  return (
    <Paper withBorder component="li" className={styles['row'] ?? ''}>
      <div className={styles['subject']}>
        <span className={styles['name']}>{name}</span>
        <div className={styles['facts']}>{factsOf(row)}</div>
      </div>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" aria-label={t('Edit {name}', { name })} onClick={() => onEdit(row)}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Delete {name}', { name })}
          onClick={() => onRemove(row)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
