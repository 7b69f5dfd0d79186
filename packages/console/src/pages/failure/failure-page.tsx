import { type FailureCount, logApi, logReasons } from '@headgate/contract';
import { Anchor, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import styles from './failure.module.css';
import {
  type FailingChannel,
  type FailureRange,
  failingChannels,
  failureRanges,
  logSearchOf,
  rangeOf,
} from './failure-groups.ts';

const failuresQuery = (start: number) =>
  queryOptions({
    queryKey: ['failures', start],
    queryFn: ({ signal }) => call(logApi.failures, { query: { start_timestamp: start } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Failed requests by channel and reason, linked to the log. */
export function FailurePage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const navigate = useNavigate();
  const range = rangeOf(search['range']);
  const start = failureRanges[range].start();
  const { data, error, refetch } = useQuery(failuresQuery(start));
  const choose = (next: FailureRange) =>
    void navigate({ to: '.', search: query({ range: next === 'today' ? undefined : next }), replace: true });
  return (
    <Stack gap="sm">
      <div className={styles['bar']}>
        <Title order={1}>{t('Failures')}</Title>
        <SegmentedControl
          size="sm"
          aria-label={t('Time range')}
          value={range}
          onChange={(value) => choose(rangeOf(value))}
          data={(Object.keys(failureRanges) as FailureRange[]).map((value) => ({
            value,
            label: t(failureRanges[value].label),
          }))}
        />
      </div>
      <Text size="sm" c="dimmed">
        {t('Failed requests by channel and reason. Click a count to see the log entries.')}
      </Text>
      {error && !data && <LoadFailed title={t('The failures could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={240} />}
      {data && <Failures counts={data} start={start} />}
    </Stack>
  );
}

function Failures({ counts, start }: { readonly counts: readonly FailureCount[]; readonly start: number }) {
  const { t } = useTranslation();
  if (counts.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center" py="lg">
          {t('No failures in this period')}
        </Text>
      </Paper>
    );
  }
  return (
    <ul className={styles['channels']}>
      {failingChannels(counts).map((channel) => (
        <FailingChannelRow key={channel.channel} failing={channel} start={start} />
      ))}
    </ul>
  );
}

function FailingChannelRow({ failing, start }: { readonly failing: FailingChannel; readonly start: number }) {
  const { t, label } = useTranslation();
  const { channel, name, rows, counts } = failing;
  const shown = channel === 0 ? t('Rejected before routing') : name || t('Channel {id}', { id: channel });
  return (
    <Paper withBorder component="li" className={styles['channel'] ?? ''}>
      <div className={styles['head']}>
        {channel > 0 ? (
          <Anchor component={Link} to={`/channel/view/${channel}`} className={styles['name'] ?? ''}>
            {shown}
          </Anchor>
        ) : (
          <span className={styles['name']}>{shown}</span>
        )}
        {channel > 0 && <span className={styles['id']}>{`#${channel}`}</span>}
        <span className={styles['total']}>{formatNumber(rows)}</span>
      </div>
      <ul className={styles['reasons']}>
        {counts.map((count) => {
          const reason = count.reason === '' ? t('Unknown reason') : label(logReasons[count.reason].label);
          return (
            <li key={count.reason}>
              <Anchor
                component={Link}
                to="/log"
                search={query(logSearchOf(count, start))}
                className={styles['reason'] ?? ''}
                aria-label={t('{reason}: {count} entries for {name}', { reason, count: count.rows, name: shown })}
              >
                <span>{reason}</span>
                {count.status > 0 && <span className={styles['status']}>{count.status}</span>}
                <span className={styles['count']}>{formatNumber(count.rows)}</span>
              </Anchor>
            </li>
          );
        })}
      </ul>
    </Paper>
  );
}
