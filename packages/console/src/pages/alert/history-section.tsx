import { type AlertState, alertKind, alertKindNames, alertStates, type SentAlert } from '@headgate/contract';
import { Button, Group, NativeSelect, Pagination, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './alert.module.css';
import { type AlertChanges, historyQuery, historySize } from './alert-queries.ts';

interface HistoryProps {
  readonly changes: AlertChanges;
}

const colors: Readonly<Record<AlertState, string>> = { waiting: 'yellow', sent: 'green', failed: 'red' };

/** What was sent in the last days, what waits and what failed. */
export function AlertHistory({ changes }: HistoryProps) {
  const { t, label } = useWords();
  const [page, setPage] = useState(0);
  const [state, setState] = useState<AlertState>();
  const { data, error, refetch } = useQuery(historyQuery(page, state));
  const pages = Math.ceil((data?.total ?? 0) / historySize);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="alert-history">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h3" id="alert-history">
            {t('History')}
          </Title>
          <NativeSelect
            size="xs"
            aria-label={t('State')}
            data={[
              { value: '', label: t('All') },
              ...Object.entries(alertStates).map(([value, words]) => ({ value, label: label(words) })),
            ]}
            value={state ?? ''}
            onChange={(event) => {
              setState((event.currentTarget.value || undefined) as AlertState | undefined);
              setPage(0);
            }}
          />
        </Group>
        {error && !data && <LoadFailed title={t('The history could not be loaded')} error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton height={80} />}
        {data?.rows.length === 0 && (
          <Text c="dimmed" ta="center" py="lg">
            {t('Nothing was sent in the last 30 days.')}
          </Text>
        )}
        {data && data.rows.length > 0 && (
          <ul className={styles['rows']}>
            {data.rows.map((alert) => (
              <Sent key={alert.id} alert={alert} changes={changes} />
            ))}
          </ul>
        )}
        {pages > 1 && <Pagination size="sm" total={pages} value={page + 1} onChange={(next) => setPage(next - 1)} />}
      </Stack>
    </Paper>
  );
}

const kindNames: ReadonlySet<string> = new Set(alertKindNames);

function Sent({ alert, changes: { sendAgain } }: HistoryProps & { readonly alert: SentAlert }) {
  const { t, label } = useWords();
  const { id, kind, receiver_name, title, lines, state, tries, created_time, next_time, last_error } = alert;
  const known = kindNames.has(kind) ? label(alertKind(kind as Parameters<typeof alertKind>[0]).label) : kind;
  return (
    <li className={styles['row']}>
      <div className={styles['words']}>
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
      </div>
      <Group gap="sm" className={styles['actions'] ?? ''}>
        <Dot
          color={colors[state]}
          words={
            tries > 1
              ? t('{state}, {count} tries', { state: label(alertStates[state]), count: tries })
              : label(alertStates[state])
          }
        />
        {state === 'waiting' && (
          <Text span size="xs" c="dimmed">
            {t('next at')} <Time seconds={next_time} />
          </Text>
        )}
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
      </Group>
    </li>
  );
}
