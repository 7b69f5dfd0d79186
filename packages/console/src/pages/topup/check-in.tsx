import { checkInApi } from '@headgate/contract';
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCalendarCheck } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { call } from '../../lib/api/call.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useBotCheck } from '../../ui/bot-check.tsx';

const checkInQuery = queryOptions({
  queryKey: ['check-in'],
  queryFn: ({ signal }) => call(checkInApi.read, {}, { signal }),
  staleTime: 0,
});

/** Daily check-in; hidden while check-ins are off. */
export function CheckIn() {
  const { data } = useQuery(checkInQuery);
  return data?.enabled ? <CheckInForm {...data} /> : null;
}

interface CheckInFormProps {
  readonly checked_in: boolean;
  readonly min_quota: number;
  readonly max_quota: number;
  readonly next_time: number;
}

function CheckInForm({ checked_in, min_quota, max_quota, next_time }: CheckInFormProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { widget, take } = useBotCheck();
  const run = useCheckIn();
  const id = useId();
  const submit = () => {
    const turnstile = take();
    if (turnstile !== undefined) run.mutate(turnstile);
  };
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Group justify="space-between">
        <Box flex="1 1 12rem">
          <Title order={2} size="h3" id={id}>
            {t('Daily check-in')}
          </Title>
          <Text size="sm" c="dimmed">
            {checked_in
              ? t('Next check-in: {time}', { time: formatTime(next_time) })
              : t('Adds {min} to {max} of quota once per day.', { min: format(min_quota), max: format(max_quota) })}
          </Text>
        </Box>
        <Button
          leftSection={<IconCalendarCheck size={16} stroke={1.6} aria-hidden />}
          disabled={checked_in}
          loading={run.isPending}
          onClick={submit}
        >
          {checked_in ? t('Checked in') : t('Check in')}
        </Button>
      </Group>
      {!checked_in && widget && <Stack mt="md">{widget}</Stack>}
    </Paper>
  );
}

function useCheckIn() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (turnstile: string) => call(checkInApi.run, { query: { turnstile } }),
    onSuccess: (added) => {
      showMessage('success', t('{amount} added', { amount: format(added) }));
      queries.setQueryData(selfQuery.queryKey, (self) => self && { ...self, quota: self.quota + added });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: checkInQuery.queryKey }),
  });
}
