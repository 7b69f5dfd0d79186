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
      title: t('Delete all that is kept of you?'),
      text: t('The bodies of {count} requests are deleted for good.', { count }),
      confirm: t('Delete'),
      onConfirm: () => forget.mutate(),
    });
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Requests and answers')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('What is kept can be read in the logs, by you and by admins; when an admin looks, your log says so.')}
      </Text>
      <Stack gap="sm" align="flex-start">
        {ofAccount && <KeepingLine subject={t('All of your tokens')} keeping={ofAccount} isBusy={false} />}
        {tokens > 0 && (
          <Text>{t('Kept for {count} of your tokens, which are marked in the list.', { count: tokens })}</Text>
        )}
        <Button variant="default" disabled={data.kept === 0} loading={forget.isPending} onClick={ask}>
          {t('Delete what is kept ({count})', { count })}
        </Button>
      </Stack>
    </Paper>
  );
}
