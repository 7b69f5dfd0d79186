import type { User } from '@headgate/contract';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { Time } from '../../../ui/time.tsx';
import { revokeUserSessions, userSessionsQuery } from '../user-queries.ts';
import styles from './user-page.module.css';

/** Sessions of a user. */
export function UserSessions({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: sessions = [], isPending } = useQuery(userSessionsQuery(user.id));
  const end = useMutation({
    mutationFn: () => revokeUserSessions(user.id),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => queries.invalidateQueries({ queryKey: userSessionsQuery(user.id).queryKey }),
  });
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Sessions')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Sessions')}</Title>
        <Button
          size="xs"
          variant="default"
          disabled={sessions.length === 0}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {t('Log out of all devices')}
        </Button>
      </Group>
      {!isPending && sessions.length === 0 && <Text c="dimmed">{t('No active sessions')}</Text>}
      <Stack gap={6}>
        {sessions.map(({ address, user_agent, created_time, seen_time }) => (
          <div key={`${address} ${created_time}`} className={styles['line']}>
            <span>
              {address} · {user_agent}
            </span>
            <Time seconds={seen_time} />
          </div>
        ))}
      </Stack>
    </Card>
  );
}
