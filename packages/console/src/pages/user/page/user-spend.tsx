import type { User } from '@headgate/contract';
import { Card, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { userSpendQuery } from '../user-queries.ts';
import styles from './user-page.module.css';

/** Spend of the last thirty days by model, from hourly rollups. */
export function UserSpend({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { data, isPending } = useQuery(userSpendQuery(user.id));
  const rows = data?.rows ?? [];
  const max = Math.max(1, ...rows.map(({ total }) => total.quota));
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Spend by model, last 30 days')}>
      <Title order={2} mb="sm">
        {t('Spend by model, last 30 days')}
      </Title>
      {isPending && <Skeleton height={80} />}
      {!isPending && rows.length === 0 && <Text c="dimmed">{t('No spend')}</Text>}
      <Stack gap={8}>
        {rows.map(({ key, label, total }) => (
          <div key={key || label}>
            <div className={styles['line']}>
              <span>{label || t('Others')}</span>
              <span>
                {format(total.quota)} ·{' '}
                {total.requests === 1 ? t('1 request') : t('{count} requests', { count: formatNumber(total.requests) })}
              </span>
            </div>
            <Progress value={(100 * total.quota) / max} size="xs" aria-hidden />
          </div>
        ))}
      </Stack>
    </Card>
  );
}
