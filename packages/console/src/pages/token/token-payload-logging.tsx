import { payloadApi, type Token } from '@headgate/contract';
import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { callWithoutData } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { ownPayloadLoggingQuery, type PayloadLoggingLimits, payloadLoggingOf } from '../../lib/page/payload-logging.ts';
import { PayloadLoggingLine } from '../../ui/payload-logging/payload-logging-line.tsx';

/** Payload logging of this token. Hidden if the feature is not in use. */
export function TokenPayloadLogging({ token }: { readonly token: Token }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery(ownPayloadLoggingQuery);
  const change = useMutation({
    mutationFn: (amounts: PayloadLoggingLimits | undefined) =>
      amounts
        ? callWithoutData(payloadApi.keepOwn, { body: { token_id: token.id, ...amounts } })
        : callWithoutData(payloadApi.endOwn, { params: { id: token.id } }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => queries.invalidateQueries({ queryKey: ownPayloadLoggingQuery.queryKey }),
  });
  const keeping = payloadLoggingOf(data?.keepings ?? [], token.id);
  const ofAccount = payloadLoggingOf(data?.keepings ?? []);
  if (!data || !(data.is_for_owners || keeping || ofAccount)) return null;
  const mayKeep = data.is_for_owners && (keeping?.is_own ?? true);
  return (
    <Stack gap="xs">
      <PayloadLoggingLine
        subject={t('Payload logging')}
        keeping={keeping ?? ofAccount}
        isBusy={change.isPending}
        onKeep={mayKeep ? (amounts) => change.mutate(amounts) : undefined}
        onEnd={keeping ? () => change.mutate(undefined) : undefined}
      />
      {ofAccount && (
        <Text size="sm" c="dimmed">
          {t('Payloads are logged for all your tokens.')}
        </Text>
      )}
      {!data.is_on && <Text size="sm">{t('Payload logging is currently off on this gateway.')}</Text>}
    </Stack>
  );
}
