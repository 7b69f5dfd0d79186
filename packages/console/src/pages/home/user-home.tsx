import type { UserDashboard as OwnHomeData } from '@headgate/contract';
import { Anchor, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { useUser } from '../../lib/account/session.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { EffectiveLimitsList } from '../../ui/effective-limits/effective-limits-list.tsx';
import { ownEffectiveLimitsQuery } from '../../ui/effective-limits/effective-limits-queries.ts';
import { Time } from '../../ui/time.tsx';
import { GettingStarted, useIsGettingStarted } from './getting-started.tsx';
import styles from './home.module.css';
import { ownModelsQuery, userHomeQuery } from './home-queries.ts';
import { StartCard } from './start-card.tsx';
import { StatCard } from './stat-card.tsx';
import { TopCard } from './top-card.tsx';

/** Dashboard of a user: balance, spend, and tokens that expire soon. */
export function UserHome() {
  const { t } = useTranslation();
  const quota = useQuotaFormat();
  const { data: self } = useQuery({ ...selfQuery, meta: { quiet: true } });
  const { data: home } = useQuery(userHomeQuery);
  const isBeginning = useIsGettingStarted(home?.steps);
  const today = useQuery(ownModelsQuery('today'));
  const month = useQuery(ownModelsQuery('month'));
  const hasUsed = home?.steps.request || (month.data?.total.requests ?? 0) > 0;
  const modelOf = (range: string) => (row: { key: string }) => ({
    range,
    rows: 'day',
    columns: 'none',
    model_name: row.key,
  });
  return (
    <Stack gap="md">
      {home && isBeginning && <GettingStarted steps={home.steps} isAdmin={false} />}
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm" className={styles['figures'] ?? ''}>
        <StatCard name={t('Balance')} value={self ? quota(self.quota) : '…'} to="/topup" />
        <StatCard
          name={t('Spent today')}
          value={today.data ? quota(today.data.total.quota) : '…'}
          to="/usage"
          search={{ range: 'today' }}
        />
        <StatCard
          name={t('Spent this month')}
          value={month.data ? quota(month.data.total.quota) : '…'}
          to="/usage"
          search={{ range: 'month' }}
        />
      </SimpleGrid>
      {home && <ExpiringTokens tokens={home.tokens} />}
      <OwnLimits />
      {hasUsed && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TopCard
            title={t('Today by model')}
            usage={today.data}
            linkOf={modelOf('today')}
            all={{ range: 'today', columns: 'none' }}
          />
          <TopCard
            title={t('This month by model')}
            usage={month.data}
            linkOf={modelOf('month')}
            all={{ range: 'month', columns: 'none' }}
          />
        </SimpleGrid>
      )}
      <StartCard />
    </Stack>
  );
}

/** Tokens that expire or run out soon. */
function ExpiringTokens({ tokens }: Pick<OwnHomeData, 'tokens'>) {
  const { t } = useTranslation();
  const quota = useQuotaFormat();
  if (tokens.length === 0) return null;
  return (
    <Card withBorder padding="md">
      <Title order={2} mb="xs">
        {t('Tokens expiring or running low')}
      </Title>
      <ul className={styles['troubled']}>
        {tokens.map(({ id, name, remain_quota, unlimited_quota, expired_time }) => (
          <li key={id}>
            <Anchor component={Link} to={`/token/edit/${id}`} className={styles['who'] ?? ''}>
              {name}
            </Anchor>
            {!unlimited_quota && <Text span>{t('{quota} left', { quota: quota(remain_quota) })}</Text>}
            {expired_time > 0 && (
              <Text span c="dimmed">
                {t('expires')} <Time seconds={expired_time} />
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Only shown if there are limits, because most users have only a balance. */
function OwnLimits() {
  const { t } = useTranslation();
  const id = useUser()?.id ?? 0;
  const { data: effective } = useQuery(ownEffectiveLimitsQuery);
  if (!effective || effective.limits.length + effective.budgets.length === 0) return null;
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Your limits and budgets')}>
      <Title order={2} mb="xs">
        {t('Your limits and budgets')}
      </Title>
      <EffectiveLimitsList on={{ kind: 'user', id }} isAdmin={false} {...effective} />
    </Card>
  );
}
