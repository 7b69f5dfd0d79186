import { Alert, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './managed.module.css';

const defaultNotice: TextKey = 'Managed by headgate.yaml. Edit the file and apply it.';

/** Notice above a form of a managed resource. */
export function ManagedNotice({ text = defaultNotice }: { readonly text?: TextKey }) {
  const { t } = useTranslation();
  return (
    <Alert color="gray" icon={<IconLock size={18} stroke={1.6} aria-hidden />} title={t('Managed by file')}>
      {t(text)}
    </Alert>
  );
}

interface ManagedFieldsProps {
  readonly isManaged: boolean;
  readonly children: ReactNode;
}

/** Fields that are read-only for managed resources. */
export function ManagedFields({ isManaged, children }: ManagedFieldsProps) {
  if (!isManaged) return children;
  return (
    <fieldset className={styles['fields']} disabled>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}

interface LockedFieldsProps {
  /** Reason why the fields are read-only; undefined if they are not. */
  readonly reason: string | undefined;
  readonly children: ReactNode;
}

/** Read-only fields with the reason below them. */
export function LockedFields({ reason, children }: LockedFieldsProps) {
  const id = useId();
  if (reason === undefined) return children;
  return (
    <Stack gap={6}>
      <fieldset className={styles['fields']} disabled aria-describedby={id}>
        <Stack gap="md">{children}</Stack>
      </fieldset>
      <LockReason id={id}>{reason}</LockReason>
    </Stack>
  );
}

function LockReason({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <div className={styles['why']} id={id}>
      <IconLock size={14} stroke={1.6} aria-hidden />
      {children}
    </div>
  );
}

/** Maximum names listed; the rest is counted. */
const maxNames = 5;

/** Notice that the configuration file manages a resource, or these entries of it. */
export function ManagedReason({ names }: { readonly names?: readonly string[] }) {
  const { t } = useTranslation();
  if (!names) return <LockReason>{t('Managed by the configuration file. Change it there.')}</LockReason>;
  const more = names.length - maxNames;
  const shownNames =
    names.slice(0, maxNames).join(', ') + (more > 0 ? ` ${t('and {count} more', { count: more })}` : '');
  return <LockReason>{t('Managed by the configuration file: {names}', { names: shownNames })}</LockReason>;
}
