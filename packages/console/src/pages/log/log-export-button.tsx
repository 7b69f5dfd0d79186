import { Button, Group, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { figure } from '../../lib/format.ts';
import { showMessage } from '../../lib/messages.ts';
import { useStatus } from '../../lib/status.ts';
import styles from './log.module.css';
import { startExport, useExportProgress } from './log-export-progress.ts';
import type { LogScope } from './log-queries.ts';
import { useLogSentence } from './log-sentence.ts';

interface LogExportProps {
  readonly scope: LogScope;
  readonly isEmpty: boolean;
}

/** Writes what the filters leave into a file. It goes on when the page is left. */
export function LogExportButton({ scope, isEmpty }: LogExportProps) {
  const { t } = useWords();
  const isRunning = useExportProgress() !== undefined;
  const run = useExport(scope);
  return (
    <Button
      variant="default"
      px="sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={isEmpty || isRunning}
      onClick={() => run.mutate()}
    >
      {t('Export CSV')}
    </Button>
  );
}

/** How far the export is, and the way to end it; nothing when there is none. */
export function LogExportProgress() {
  const { t } = useWords();
  const progress = useExportProgress();
  if (!progress) return null;
  const { done, wanted, cancel } = progress;
  return (
    <Group gap="sm" mb="sm" className={styles['export'] ?? ''}>
      <Text size="sm">
        {wanted === undefined
          ? t('{done} logs read', { done: figure(done) })
          : t('{done} of {wanted} logs read', { done: figure(done), wanted: figure(wanted) })}
      </Text>
      {wanted !== undefined && (
        <Progress className={styles['bar'] ?? ''} value={(100 * done) / wanted} aria-label={t('Export CSV')} />
      )}
      <Button size="compact-sm" variant="default" onClick={cancel}>
        {t('Cancel')}
      </Button>
    </Group>
  );
}

function useExport(scope: LogScope) {
  const { t, label } = useWords();
  const status = useStatus();
  const sentenceOf = useLogSentence();
  return useMutation({
    mutationFn: () =>
      startExport(async (signal, report) => {
        // Only those who export fetch the code that does it.
        const { exportLogs } = await import('./log-export.ts');
        return exportLogs({ scope, words: { t, label, sentenceOf }, display: status, signal, report });
      }),
    onSuccess: (outcome) => {
      if (!outcome) return;
      const count = figure(outcome.count);
      if (outcome.isWhole) showMessage('success', t('{count} logs exported', { count }));
      else
        showMessage(
          'warning',
          t('Only the newest {count} logs were exported: narrow the filters for the others', { count }),
        );
    },
  });
}
