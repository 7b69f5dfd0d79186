import { type AdminDashboard, logType } from '@headgate/contract';
import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { query } from '../../lib/page/address.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { ChannelsCard } from './channels-card.tsx';
import { GettingStarted, useIsGettingStarted } from './getting-started.tsx';
import styles from './home.module.css';
import { homeQuery, topQuery } from './home-queries.ts';
import { StartCard } from './start-card.tsx';
import { StatCard } from './stat-card.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { TopCard } from './top-card.tsx';
import { UnpricedCard } from './unpriced-card.tsx';

const ranges = ['24h', '7d', '30d'] as const;
type Range = (typeof ranges)[number];

/** Dashboard of an operator; a new installation shows the first steps. */
export function AdminHome() {
  const { t } = useTranslation();
  const { range, choose } = useRange();
  const { data: home, error, refetch, dataUpdatedAt } = useQuery(homeQuery(range));
  const isBeginning = useIsGettingStarted(home?.steps);
  if (error && !home) return <LoadFailed title={t('Data could not be loaded')} error={error} onRetry={refetch} />;
  if (!home) return <Skeleton height={320} />;
  if (!home.steps.request)
    return (
      <Stack gap="md">
        <GettingStarted steps={home.steps} isAdmin />
        <StartCard />
      </Stack>
    );
  return (
    <Stack gap="md">
      {isBeginning && <GettingStarted steps={home.steps} isAdmin />}
      <Group justify="space-between">
        <SegmentedControl
          size="sm"
          aria-label={t('Time range')}
          value={range}
          data={[
            { value: '24h', label: t('24 hours') },
            { value: '7d', label: t('7 days') },
            { value: '30d', label: t('30 days') },
          ]}
          onChange={(value) => choose(value as Range)}
        />
        <Text size="sm" c="dimmed">
          <Age updatedAt={dataUpdatedAt} /> ·{' '}
          {home.before ? t('vs. previous period') : t('Not enough log history to compare')}
        </Text>
      </Group>
      <Figures home={home} range={range} />
      <TimelineCard range={range} />
      <div className={styles['cards']}>
        <ChannelsCard channels={home.channels} ledger={home.ledger} />
        <UnpricedCard />
      </div>
      <TopLists range={range} />
    </Stack>
  );
}

const ageRefreshMs = 30_000;

/** Age of the metrics, which are refreshed every minute. */
function Age({ updatedAt }: { readonly updatedAt: number }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), ageRefreshMs);
    return () => clearInterval(timer);
  }, []);
  return t('Updated {age}', { age: relativeTime(t, updatedAt / 1000, Math.max(now, updatedAt) / 1000) });
}

function useRange() {
  const { range = '' } = useSearch({ strict: false }) as { range?: string };
  const navigate = useNavigate();
  return {
    range: ranges.find((each) => each === range) ?? '24h',
    choose: (next: Range) =>
      void navigate({ to: '.', search: query({ range: next === '24h' ? undefined : next }), replace: true }),
  };
}

function Figures({ home, range }: { readonly home: AdminDashboard; readonly range: Range }) {
  const { t } = useTranslation();
  const quota = useQuotaFormat();
  const { now, before } = home;
  const logs = { start: String(home.from), end: String(home.to) };
  const chargedLogs = { ...logs, type: String(logType.consumption) };
  const changeOf = (name: keyof AdminDashboard['now']) => before && { now: now[name], before: before[name] };
  const ms = (value: number) =>
    value === 0 ? '–' : value < 1000 ? `${formatNumber(value)} ms` : `${formatNumber(Math.round(value / 10) / 100)} s`;
  const times = [
    [t('Latency p50'), 'elapsed_p50'],
    [t('Latency p95'), 'elapsed_p95'],
    [t('First byte p50'), 'first_byte_p50'],
  ] as const;
  const failed = now.requests === 0 ? 0 : Math.round((1000 * now.failures) / now.requests) / 10;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <StatCard
        name={t('Spend')}
        value={quota(now.quota)}
        change={changeOf('quota') ?? undefined}
        to="/usage"
        search={{ range }}
      />
      <StatCard
        name={t('Requests')}
        value={formatNumber(now.requests)}
        change={changeOf('requests') ?? undefined}
        to="/usage"
        search={{ range, columns: 'none', measure: 'requests' }}
      />
      <StatCard
        name={t('Failures')}
        value={formatNumber(now.failures)}
        change={changeOf('failures') ?? undefined}
        isTrouble
        note={t('{percent}% of requests', { percent: formatNumber(failed) })}
        to="/log"
        search={{ ...logs, type: String(logType.failure) }}
      />
      {times.map(([title, name]) => (
        <StatCard
          key={name}
          name={title}
          value={ms(now[name])}
          change={changeOf(name) ?? undefined}
          isTrouble
          to="/log"
          search={chargedLogs}
        />
      ))}
    </SimpleGrid>
  );
}

function TopLists({ range }: { readonly range: Range }) {
  const { t } = useTranslation();
  const models = useQuery(topQuery('model', range));
  const users = useQuery(topQuery('user', range));
  const channels = useQuery(topQuery('channel', range));
  const plain = { range, columns: 'none' };
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
      <TopCard
        title={t('Top models')}
        usage={models.data}
        linkOf={({ key }) => ({ ...plain, rows: 'user', model_name: key })}
        all={plain}
      />
      <TopCard
        title={t('Top users')}
        usage={users.data}
        linkOf={({ label }) => ({ ...plain, rows: 'model', username: label })}
        all={{ ...plain, rows: 'user' }}
      />
      <TopCard
        title={t('Top channels')}
        usage={channels.data}
        linkOf={({ key }) => ({ ...plain, rows: 'model', channel: key })}
        all={{ ...plain, rows: 'channel' }}
      />
    </SimpleGrid>
  );
}
