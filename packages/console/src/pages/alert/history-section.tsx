import { type AlertNotification, type AlertState, alertKind, alertKindNames, alertStates } from '@headgate/contract';
import { Button, NativeSelect, Pagination, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { RowSection, SectionRow } from '../../ui/row-section/row-section.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './alert.module.css';
import { type AlertChanges, historyQuery, historySize } from './alert-queries.ts';

interface HistoryProps {
  readonly changes: AlertChanges;
}

const colors: Readonly<Record<AlertState, string>> = { waiting: 'yellow', sent: 'green', failed: 'red' };

/** Sent, pending and failed notifications of the last days. */
export function AlertHistory({ changes }: HistoryProps) {
  const { t, label } = useTranslation();
  const [page, setPage] = useState(0);
  const [state, setState] = useState<AlertState>();
  const { data, error, refetch } = useQuery(historyQuery(page, state));
  const pages = Math.ceil((data?.total ?? 0) / historySize);
  const choose = (wanted: string) => {
    setState((wanted || undefined) as AlertState | undefined);
    setPage(0);
  };
  return (
    <RowSection
      title={t('History')}
      rows={data?.rows}
      error={error}
      errorTitle={t('History could not be loaded')}
      onRetry={() => void refetch()}
      empty={t('No alerts in the last 30 days.')}
      emptyIcon={false}
      tool={
        <NativeSelect
          size="xs"
          aria-label={t('Status')}
          data={[
            { value: '', label: t('All statuses') },
            ...Object.entries(alertStates).map(([value, words]) => ({ value, label: label(words) })),
          ]}
          value={state ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
      footer={
        pages > 1 && <Pagination size="sm" total={pages} value={page + 1} onChange={(next) => setPage(next - 1)} />
      }
    >
      {(alert) => <Sent key={alert.id} alert={alert} changes={changes} />}
    </RowSection>
  );
}

const kindNames: ReadonlySet<string> = new Set(alertKindNames);

/** Pages about the subject of an alert, and the label of their link. */
const subjectPages: readonly { readonly path: string; readonly label: TextKey }[] = [
  { path: '/channel/view/', label: 'Open channel' },
  { path: '/user/view/', label: 'Open user' },
  { path: '/prices', label: 'Open prices' },
];

function SubjectPage({ page }: { readonly page: string }) {
  const { t } = useTranslation();
  const known = subjectPages.find(({ path }) => page.startsWith(path));
  if (!known) return null;
  return (
    <Button component={Link} to={page} size="xs" variant="default">
      {t(known.label)}
    </Button>
  );
}

function Sent({ alert, changes: { sendAgain } }: HistoryProps & { readonly alert: AlertNotification }) {
  const { t, label } = useTranslation();
  const { id, kind, receiver_name, page, title, lines, state, tries, created_time, next_time, last_error } = alert;
  const known = kindNames.has(kind) ? label(alertKind(kind as Parameters<typeof alertKind>[0]).label) : kind;
  return (
    <SectionRow
      actions={
        <>
          <Dot
            color={colors[state]}
            text={
              tries > 1
                ? t('{state}, {count} attempts', { state: label(alertStates[state]), count: tries })
                : label(alertStates[state])
            }
          />
          {state === 'waiting' && (
            <Text span size="xs" c="dimmed">
              {t('next at')} <Time seconds={next_time} />
            </Text>
          )}
          <SubjectPage page={page} />
          {state === 'failed' && (
            <Button
              size="xs"
              variant="default"
              loading={sendAgain.isPending && sendAgain.variables === id}
              onClick={() => sendAgain.mutate(id)}
            >
              {t('Send again')}
            </Button>
          )}
        </>
      }
    >
      <details>
        <summary className={styles['name']}>{title}</summary>
        {lines.map((line) => (
          <div key={line} className={styles['line']}>
            {line}
          </div>
        ))}
      </details>
      <span className={styles['about']}>
        {known} · {receiver_name} · <Time seconds={created_time} />
      </span>
      {last_error !== '' && (
        <span className={styles['answer']} data-trouble>
          {last_error}
        </span>
      )}
    </SectionRow>
  );
}
