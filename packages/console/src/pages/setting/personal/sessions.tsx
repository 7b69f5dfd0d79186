import { sessionApi } from '@headgate/contract';
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { browserName } from './browser-name.ts';
import styles from './personal.module.css';

const sessionsQuery = queryOptions({
  queryKey: ['user', 'session'],
  queryFn: ({ signal }) => call(sessionApi.list, {}, { signal }),
  meta: { quiet: true },
});

/** Active sessions of the account, which can be ended. */
export function PersonalSessions() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { data } = useQuery({ ...sessionsQuery, enabled: extensions });
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (session: string) => call(sessionApi.end, { params: { session } }),
    onSuccess: () => {
      showMessage('success', t('Operation completed successfully'));
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  if (!data || data.length === 0) return null;
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Sessions')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('Devices logged in to your account. Log out any you do not recognize and change your password.')}
      </Text>
      <Stack gap={0}>
        {data.map(({ id, user_agent, address, seen_time, isCurrent }) => (
          <Group
            key={id}
            className={styles['row'] ?? ''}
            justify="space-between"
            wrap="nowrap"
            role="group"
            aria-label={browserName(user_agent) || t('Unknown client')}
          >
            <div className={styles['what']} title={user_agent}>
              <Group gap="xs" wrap="nowrap">
                <Text fw={500} truncate>
                  {browserName(user_agent) || t('Unknown client')}
                </Text>
                {isCurrent && (
                  <Badge variant="light" size="sm">
                    {t('This session')}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {address} · {formatTime(seen_time)}
              </Text>
            </div>
            {!isCurrent && (
              <Button size="xs" variant="default" disabled={end.isPending} onClick={() => end.mutate(id)}>
                {t('Log out')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
