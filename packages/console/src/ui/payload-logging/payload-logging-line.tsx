import type { PayloadRule } from '@headgate/contract';
import { Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { PayloadLoggingLimits } from '../../lib/page/payload-logging.ts';
import { openConfirmation } from '../confirm.tsx';
import styles from './payload-logging.module.css';

const Dialog = lazy(async () => ({ default: (await import('./payload-logging-dialog.tsx')).PayloadLoggingDialog }));

interface PayloadLoggingLineProps {
  /** Owner of the requests, for screen readers. */
  readonly subject: string;
  /** Undefined if payload logging is off. */
  readonly keeping: PayloadRule | undefined;
  readonly isBusy: boolean;
  /** Absent if the user may not change payload logging. */
  readonly onKeep?: ((amounts: PayloadLoggingLimits) => void) | undefined;
  readonly onEnd?: (() => void) | undefined;
}

/** Shows whether payloads are logged, with a control to change it. */
export function PayloadLoggingLine({ subject, keeping, isBusy, onKeep, onEnd }: PayloadLoggingLineProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const ask = () =>
    openConfirmation({
      title: t('Stop payload logging for {name}?', { name: subject }),
      text: t('Stored payloads remain until they expire or are deleted.'),
      confirm: t('Stop logging'),
      onConfirm: () => onEnd?.(),
    });
  return (
    <Group justify="space-between" className={styles['line'] ?? ''} role="group" aria-label={subject}>
      <div className={styles['words']}>
        <Text fw={500}>{subject}</Text>
        <Text size="sm" c="dimmed">
          <PayloadLoggingText keeping={keeping} />
        </Text>
      </div>
      {onKeep && (
        <Group gap="xs">
          <Button size="xs" variant="default" loading={isBusy} onClick={() => setOpen(true)}>
            {keeping ? t('Change') : t('Log payloads…')}
          </Button>
          {keeping && onEnd && (
            <Button size="xs" variant="default" disabled={isBusy} onClick={ask}>
              {t('Stop logging')}
            </Button>
          )}
        </Group>
      )}
      {isOpen && onKeep && (
        <Suspense>
          <Dialog subject={subject} keeping={keeping} onClose={() => setOpen(false)} onKeep={onKeep} />
        </Suspense>
      )}
    </Group>
  );
}

function PayloadLoggingText({ keeping }: Pick<PayloadLoggingLineProps, 'keeping'>) {
  const { t } = useTranslation();
  if (!keeping) return t('Not logged');
  const { hours, kilobytes, is_own } = keeping;
  const kept = t('Stored for {hours} h, up to {kilobytes} KiB each', { hours, kilobytes });
  return is_own ? kept : `${kept} · ${t('set by an admin')}`;
}
