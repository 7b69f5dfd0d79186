import type { AlertReceiver } from '@headgate/contract';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { receiversQuery, useAlertChanges } from './alert-queries.ts';
import { AlertHistory } from './history-section.tsx';
import { Receivers } from './receiver-section.tsx';
import { Rules } from './rule-section.tsx';

const none: readonly AlertReceiver[] = [];

/** Who is told what: receivers, rules, and what was sent. */
export function AlertPage() {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(receiversQuery);
  const changes = useAlertChanges();
  return (
    <Stack gap="md">
      <Title order={1}>{t('Alerts')}</Title>
      <Text size="sm" c="dimmed">
        {t(
          'Rules say what is worth telling, receivers are told. While no rule is about channels, their owner gets mail.',
        )}
      </Text>
      {error && !data && <LoadFailed title={t('The receivers could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={160} />}
      {data && <Receivers receivers={data} changes={changes} />}
      <Rules receivers={data ?? none} changes={changes} />
      <AlertHistory changes={changes} />
    </Stack>
  );
}
