import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { type ManageableKind, useManaged } from '../../lib/page/managed.ts';
import { ManagedBadge } from '../../ui/managed/managed-row.tsx';
import { EditButtons } from '../../ui/row-section/edit-buttons.tsx';
import { AddButton, RowSection, SectionRow } from '../../ui/row-section/row-section.tsx';
import styles from './routing.module.css';

interface RoutingRowsProps<Row> {
  /** Kind of the rows in the configuration file. */
  readonly kind: ManageableKind;
  readonly title: string;
  readonly help: string;
  readonly empty: string;
  readonly addLabel: string;
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly nameOf: (row: Row) => string;
  readonly factsOf: (row: Row) => ReactNode;
  /** Undefined for a new row. */
  readonly onEdit: (row: Row | undefined) => void;
  readonly onRemove: (row: Row) => void;
}

/** Routing rules or aliases, with the scope and effect of each. */
export function RoutingRows<Row extends { readonly id: number }>(props: RoutingRowsProps<Row>) {
  const { kind, addLabel, nameOf, factsOf, onEdit, onRemove, ...section } = props;
  const { t } = useTranslation();
  const isManaged = useManaged(kind);
  return (
    <RowSection
      {...section}
      errorTitle={t('Could not be loaded')}
      tool={<AddButton label={addLabel} onClick={() => onEdit(undefined)} />}
    >
      {(row) => (
        <SectionRow
          key={row.id}
          actions={
            <EditButtons
              name={nameOf(row)}
              isManaged={isManaged(row.id)}
              onEdit={() => onEdit(row)}
              onRemove={() => onRemove(row)}
            />
          }
        >
          <Group gap={6}>
            <span className={styles['name']}>{nameOf(row)}</span>
            {isManaged(row.id) && <ManagedBadge />}
          </Group>
          <div className={styles['facts']}>{factsOf(row)}</div>
        </SectionRow>
      )}
    </RowSection>
  );
}
