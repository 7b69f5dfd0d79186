import { Badge, Menu, Tooltip } from '@mantine/core';
import { IconEye, IconLock } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import type { RowAction } from '../list/column.ts';
import { RowActions } from '../list/row-actions.tsx';
import styles from './managed.module.css';

/** Mark next to the name of a managed resource, with text if there is room. */
export function ManagedBadge({ isLong = false }: { readonly isLong?: boolean }) {
  const { t } = useTranslation();
  const name = t('Managed by file');
  const icon = <IconLock size={12} stroke={2} aria-hidden />;
  return (
    <Tooltip
      label={t('Managed by the configuration file. Change it there.')}
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
    >
      {isLong ? (
        <Badge variant="light" color="gray" size="sm" tt="none" leftSection={icon} tabIndex={0} data-hint>
          {name}
        </Badge>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip opens on focus too
        <span className={styles['mark']} role="img" aria-label={name} tabIndex={0} data-hint>
          {icon}
        </span>
      )}
    </Tooltip>
  );
}

interface ManagedActionsProps {
  readonly actions: readonly RowAction[];
  readonly rowName: string;
}

/** Actions of a managed row that do not change it. */
export function ManagedActions({ actions, rowName }: ManagedActionsProps) {
  const { t } = useTranslation();
  const left = actions.map((action): RowAction => {
    if (action.ifManaged === 'reads') return { ...action, label: t('View settings'), icon: IconEye };
    return action.ifManaged === 'refused' ? { ...action, isDisabled: true } : action;
  });
  return (
    <RowActions
      actions={left}
      rowName={rowName}
      note={left.some(({ ifManaged }) => ifManaged === 'refused') && <Menu.Label>{t('Managed by file')}</Menu.Label>}
    />
  );
}
