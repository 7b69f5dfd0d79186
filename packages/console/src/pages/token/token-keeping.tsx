import { keptBodyApi, type Token } from '@headgate/contract';
import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { callForNothing } from '../../lib/api/call.ts';
import { type KeepingAmounts, keepingOf, ownKeepingQuery } from '../../lib/page/body-keeping.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { KeepingLine } from '../../ui/keeping/keeping-line.tsx';

/** Payload logging of this token. Hidden if the feature is not in use. */
export function TokenKeeping({ token }: { readonly token: Token }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { data } = useQuery(ownKeepingQuery);
  const change = useMutation({
    mutationFn: (amounts: KeepingAmounts | undefined) =>
      amounts
        ? callForNothing(keptBodyApi.keepOwn, { body: { token_id: token.id, ...amounts } })
        : callForNothing(keptBodyApi.endOwn, { params: { id: token.id } }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => queries.invalidateQueries({ queryKey: ownKeepingQuery.queryKey }),
  });
  const keeping = keepingOf(data?.keepings ?? [], token.id);
  const ofAccount = keepingOf(data?.keepings ?? []);
  if (!data || !(data.is_for_owners || keeping || ofAccount)) return null;
  const mayKeep = data.is_for_owners && (keeping?.is_own ?? true);
  return (
    <Stack gap="xs">
      <KeepingLine
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
