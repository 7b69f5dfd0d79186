import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { costDecimals } from './log-detail.ts';
import { type LogScope, logTotalQuery } from './log-queries.ts';

const requestedKey = 'log_total_wanted';

/** Total of the filtered rows, with the precision of the rows. Loaded on request, then updated with the filters. */
export function LogTotal({ scope }: { readonly scope: LogScope }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const [isWanted, setWanted] = useState(() => sessionStorage.getItem(requestedKey) !== null);
  const want = () => {
    sessionStorage.setItem(requestedKey, '1');
    setWanted(true);
  };
  const { data: quota, isError, refetch } = useQuery({ ...logTotalQuery(scope), enabled: isWanted });
  const isEnabled = isWanted && !isError;
  return (
    <Group gap={6} role="group" aria-label={t('Total consumed quota')} aria-live="polite">
      <Text c="dimmed">{t('Total consumed quota')}</Text>
      {isEnabled && quota !== undefined && (
        <Text fw={600} title={format(quota, costDecimals)}>
          {format(quota, costDecimals)}
        </Text>
      )}
      {isEnabled && quota === undefined && <Skeleton height={16} width={64} />}
      {!isEnabled && (
        <Button size="compact-sm" variant="light" onClick={() => (isWanted ? void refetch() : want())}>
          {isError ? t('Try again') : t('Click to view')}
        </Button>
      )}
    </Group>
  );
}
