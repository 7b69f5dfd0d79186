import { payloadApi } from '@headgate/contract';
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { ownPayloadLoggingQuery, payloadLoggingOf } from '../../../lib/page/payload-logging.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { PayloadLoggingLine } from '../../../ui/payload-logging/payload-logging-line.tsx';

/** Shows that payloads of this user are stored, with a button to delete them. Hidden if there are none. */
export function PersonalStoredPayloads() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const queries = useQueryClient();
  const { data } = useQuery({ ...ownPayloadLoggingQuery, enabled: extensions });
  const forget = useMutation({
    mutationFn: () => call(payloadApi.forgetOwn, {}),
    onSuccess: (deleted) => showMessage('success', t('{count} deleted', { count: formatNumber(deleted) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ownPayloadLoggingQuery.queryKey }),
  });
  if (!data || (data.keepings.length === 0 && data.kept === 0)) return null;
  const count = formatNumber(data.kept);
  const ofAccount = payloadLoggingOf(data.keepings);
  const tokens = data.keepings.filter(({ kind }) => kind === 'token').length;
  const ask = () =>
    openConfirmation({
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
        {ofAccount && <PayloadLoggingLine subject={t('All your tokens')} keeping={ofAccount} isBusy={false} />}
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
