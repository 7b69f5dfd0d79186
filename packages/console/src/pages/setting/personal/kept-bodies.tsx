import { keptBodyApi } from '@headgate/contract';
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { figure } from '../../../lib/format/format.ts';
import { keepingOf, ownKeepingQuery } from '../../../lib/page/body-keeping.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { askFirst } from '../../../ui/confirm.tsx';
import { KeepingLine } from '../../../ui/keeping/keeping-line.tsx';

/** States that payloads of this user are stored, and deletes them. Nothing if there are none. */
export function PersonalKeptBodies() {
  const { t } = useWords();
  const { extensions } = useStatus();
  const queries = useQueryClient();
  const { data } = useQuery({ ...ownKeepingQuery, enabled: extensions });
  const forget = useMutation({
    mutationFn: () => call(keptBodyApi.forgetOwn, {}),
    onSuccess: (deleted) => showMessage('success', t('{count} deleted', { count: figure(deleted) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ownKeepingQuery.queryKey }),
  });
  if (!data || (data.keepings.length === 0 && data.kept === 0)) return null;
  const count = figure(data.kept);
  const ofAccount = keepingOf(data.keepings);
  const tokens = data.keepings.filter(({ kind }) => kind === 'token').length;
  const ask = () =>
    askFirst({
      title: t('Delete all your stored payloads?'),
      text: t('The payloads of {count} requests are permanently deleted.', { count }),
      confirm: t('Delete'),
      onConfirm: () => forget.mutate(),
    });
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Payload logging')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('You and admins can read stored payloads in the logs. Access by admins is recorded in your log.')}
      </Text>
      <Stack gap="sm" align="flex-start">
        {ofAccount && <KeepingLine subject={t('All your tokens')} keeping={ofAccount} isBusy={false} />}
        {tokens > 0 && (
          <Text>{t('Payloads are logged for {count} of your tokens, marked in the list.', { count: tokens })}</Text>
        )}
        <Button variant="default" disabled={data.kept === 0} loading={forget.isPending} onClick={ask}>
          {t('Delete stored payloads ({count})', { count })}
        </Button>
      </Stack>
    </Paper>
  );
}
