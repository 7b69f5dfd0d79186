import { type LogExport, logExportKinds } from '@headgate/contract';
import { Button, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { EditButtons } from '../../ui/row-section/edit-buttons.tsx';
import { AddButton, RowSection, SectionRow } from '../../ui/row-section/row-section.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './log-export.module.css';
import { LogExportForm } from './log-export-form.tsx';
import { type LogExportChanges, logExportsQuery, useLogExportChanges } from './log-export-queries.ts';

/** Destinations to which logs are exported continuously. */
export function LogExportPage() {
  const { t } = useTranslation();
  const changes = useLogExportChanges();
  const { data, error, refetch } = useQuery(logExportsQuery);
  const [edited, setEdited] = useState<LogExport | 'new'>();
  return (
    <Stack gap="md">
      <Title order={1}>{t('Log export')}</Title>
      <Text size="sm" c="dimmed">
        {t(
          'New logs are sent every minute. A batch may arrive twice with the same log IDs. Delete logs only after they were exported.',
        )}
      </Text>
      <RowSection
        title={t('Destinations')}
        rows={data}
        error={error}
        errorTitle={t('Log exports could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No log exports yet. Add storage, an HTTP endpoint or a folder.')}
        tool={<AddButton label={t('Add log export')} isOff={!data} onClick={() => setEdited('new')} />}
      >
        {(logExport) => (
          <ExportRow key={logExport.id} logExport={logExport} changes={changes} onEdit={() => setEdited(logExport)} />
        )}
      </RowSection>
      {edited && (
        <LogExportForm
          logExport={edited === 'new' ? undefined : edited}
          changes={changes}
          onClosed={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}

interface ExportRowProps {
  readonly logExport: LogExport;
  readonly changes: LogExportChanges;
  readonly onEdit: () => void;
}

function ExportRow({ logExport, changes, onEdit }: ExportRowProps) {
  const { t, label } = useTranslation();
  const { id, kind, name, enabled, place, settings } = logExport;
  const where = [label(logExportKinds[kind].label), place, settings['bucket'] ?? settings['folder']];
  const remove = () =>
    openConfirmation({
      title: t('Delete {name}?', { name }),
      text: t('No more logs are sent. Exported logs stay at the destination.'),
      confirm: t('Delete log export'),
      onConfirm: () => changes.remove.mutate(id),
    });
  return (
    <SectionRow
      before={
        <Switch
          aria-label={t('{name} enabled', { name })}
          checked={enabled}
          disabled={changes.switchExport.isPending}
          onChange={(event) => changes.switchExport.mutate({ id, enabled: event.currentTarget.checked })}
        />
      }
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={t('Send test to {name}', { name })}
            loading={changes.test.isPending && changes.test.variables === id}
            disabled={changes.test.isPending}
            onClick={() => changes.test.mutate(id)}
          >
            {t('Send test')}
          </Button>
          <EditButtons name={name} onEdit={onEdit} onRemove={remove} />
        </>
      }
      after={<TestResponse id={id} changes={changes} />}
    >
      <span className={styles['name']}>{name}</span>
      <span className={styles['about']}>{where.filter(Boolean).join(' · ')}</span>
      <ExportState logExport={logExport} />
    </SectionRow>
  );
}

const secondsPerMinute = 60;
/** Delays below this are normal. */
const usualLagSeconds = 180;

function ExportState({
  logExport: { enabled, last_error, sent_rows, sent_time, lag },
}: Pick<ExportRowProps, 'logExport'>) {
  const { t } = useTranslation();
  const rows = formatNumber(sent_rows);
  const sent =
    sent_time === 0
      ? t('Nothing exported yet')
      : t('{rows} logs exported, last {time}', { rows, time: relativeTime(t, sent_time) });
  const minutes = formatNumber(Math.ceil(lag / secondsPerMinute));
  return (
    <span className={styles['state']}>
      {last_error === '' ? (
        <Dot color={enabled ? 'green' : 'gray'} text={enabled ? sent : t('Paused')} />
      ) : (
        <Dot color="red" text={t('Last attempt failed: {reason}', { reason: last_error })} />
      )}
      {lag > usualLagSeconds && <span className={styles['about']}>{t('{minutes} min behind', { minutes })}</span>}
    </span>
  );
}

/** Response of the destination to the last test on this page. */
function TestResponse({ id, changes: { test } }: Pick<ExportRowProps, 'changes'> & { readonly id: number }) {
  const { t } = useTranslation();
  if (test.variables !== id || !test.data) return null;
  const { ok, answer, ms } = test.data;
  return (
    <div className={styles['answer']} role="status" data-trouble={ok ? undefined : true}>
      {ok ? t('Delivered in {ms} ms: {answer}', { ms, answer }) : t('Delivery failed: {answer}', { answer })}
    </div>
  );
}
