import { Alert, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useWords, type Words } from '../../i18n/translate.ts';
import styles from './managed.module.css';

const usualWords: Words = 'headgate.yaml, the configuration file, manages this: change it there and apply it.';

/** Says above a form that the file manages what it shows. */
export function ManagedNotice({ words = usualWords }: { readonly words?: Words }) {
  const { t } = useWords();
  return (
    <Alert color="gray" icon={<IconLock size={18} stroke={1.6} aria-hidden />} title={t('Managed by file')}>
      {t(words)}
    </Alert>
  );
}

interface ManagedFieldsProps {
  readonly isManaged: boolean;
  readonly children: ReactNode;
}

/** Fields that can only be read where the file manages them. */
export function ManagedFields({ isManaged, children }: ManagedFieldsProps) {
  if (!isManaged) return children;
  return (
    <fieldset className={styles['fields']} disabled>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}

/** One field that can only be read, and below it why. */
export function ManagedField({ isManaged, children }: ManagedFieldsProps) {
  const id = useId();
  if (!isManaged) return children;
  return (
    <Stack gap={6}>
      <fieldset className={styles['fields']} disabled aria-describedby={id}>
        {children}
      </fieldset>
      <ManagedReason id={id} />
    </Stack>
  );
}

/** Names that are told one by one; the others are counted. */
const mostNames = 5;

interface ManagedReasonProps {
  readonly id?: string;
  /** What it is about, where that is not all that stands above. */
  readonly names?: readonly string[];
}

/** Why something cannot be changed here, in a line. */
export function ManagedReason({ id, names }: ManagedReasonProps) {
  const { t } = useWords();
  const more = (names?.length ?? 0) - mostNames;
  const told = names?.slice(0, mostNames).join(', ') + (more > 0 ? ` ${t('and {count} more', { count: more })}` : '');
  return (
    <div className={styles['why']} id={id}>
      <IconLock size={14} stroke={1.6} aria-hidden />
      {names
        ? t('Managed by file, to be changed there: {names}', { names: told })
        : t('Managed by file: it can only be changed there.')}
    </div>
  );
}
