import type { LogView } from '@headgate/contract';
import { Button, SegmentedControl } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './log.module.css';

const tabs: Readonly<Record<LogView, TextKey>> = {
  requests: 'Requests',
  audit: 'Audit',
  system: 'Top-ups and system',
};

interface LogTabsProps {
  readonly view: LogView;
  readonly onChoose: (view: LogView) => void;
}

export function LogTabs({ view, onChoose }: LogTabsProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('Log category')}
      className={styles['tabs'] ?? ''}
      value={view}
      onChange={(value) => onChoose(value as LogView)}
      data={Object.entries(tabs).map(([value, words]) => ({ value, label: t(words) }))}
    />
  );
}

interface LiveButtonProps {
  readonly isLive: boolean;
  readonly onToggle: () => void;
}

/** Starts and pauses the live view. */
export function LiveButton({ isLive, onToggle }: LiveButtonProps) {
  const { t } = useTranslation();
  const Icon = isLive ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <Button
      variant={isLive ? 'light' : 'default'}
      color={isLive ? 'green' : 'gray'}
      px="sm"
      aria-pressed={isLive}
      title={isLive ? t('Pause the live view') : t('Show new requests as they complete')}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onToggle}
    >
      {t('Live')}
    </Button>
  );
}
