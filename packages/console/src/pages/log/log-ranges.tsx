import { logType } from '@headgate/contract';
import { Button, Group } from '@mantine/core';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './log.module.css';
import { useLogDraft } from './log-draft.tsx';
import type { LogFilterControl } from './log-filter-state.ts';

const midnight = (daysAgo: number) => {
  const time = new Date();
  // Uses the calendar, because days with a clock change are shorter or longer.
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysAgo).getTime() / 1000;
};

/** Preset ranges that end now. */
const ranges: readonly { readonly words: TextKey; readonly start: () => number }[] = [
  { words: 'Today', start: () => midnight(0) },
  { words: '7 days', start: () => midnight(6) },
  { words: '30 days', start: () => midnight(29) },
  { words: 'All time', start: () => 0 },
];

/** Time ranges, and a filter for audit events. */
export function LogRanges({ control: { filters, apply } }: { readonly control: LogFilterControl }) {
  const { t } = useTranslation();
  const isChanges = filters.type === logType.management;
  const { query } = useLogDraft();
  return (
    <Group gap={4} role="group" aria-label={t('Time range')} className={styles['ranges'] ?? ''}>
      {ranges.map(({ words, start }) => (
        <Button
          key={words}
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => query({ start: start(), end: undefined })}
        >
          {t(words)}
        </Button>
      ))}
      <Button
        size="compact-sm"
        variant={isChanges ? 'light' : 'subtle'}
        color={isChanges ? 'indigo' : 'gray'}
        aria-pressed={isChanges}
        onClick={() => apply({ ...filters, type: isChanges ? logType.all : logType.management })}
      >
        {t('Audit events')}
      </Button>
    </Group>
  );
}
