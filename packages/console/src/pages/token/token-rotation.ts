import type { Token } from '@headgate/contract';
import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { RowAction } from '../../ui/list/column.ts';
import { revokeOldKey, rotateToken, tokenList } from './token-queries.ts';

const hour = 3600;
const graces = [0, hour, 24 * hour, 7 * 24 * hour] as const;

/** Key rotation and revocation of a token's previous key. */
export function useRotation(): (token: Token) => readonly RowAction[] {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const cache = useListCache<Token>(tokenList);
  const rotate = useMutation({
    mutationFn: ({ token, grace }: { token: Token; grace: number }) => rotateToken(token.id, grace),
    onSuccess: ({ id, key, old_key_until }) => {
      cache.patch(id, { key, old_key_until });
      showMessage('success', t('Key rotated. Click copy in the list to get the new key.'));
    },
    onSettled: cache.refresh,
  });
  const end = useMutation({
    mutationFn: (token: Token) => revokeOldKey(token.id),
    onSuccess: () => showMessage('success', t('The old key was revoked')),
    onSettled: cache.refresh,
  });
  const labels: Readonly<Record<number, string>> = {
    0: t('The old key stops working immediately'),
    [hour]: t('The old key works for 1 hour'),
    [24 * hour]: t('The old key works for 1 day'),
    [7 * 24 * hour]: t('The old key works for 7 days'),
  };
  const ask = (token: Token, grace: number) =>
    openConfirmation({
      title: t('Rotate the key of {name}?', { name: token.name }),
      text: `${labels[grace]}. ${t('Clients must switch to the new key. This cannot be undone.')}`,
      confirm: t('Rotate key'),
      onConfirm: () => rotate.mutate({ token, grace }),
    });
  return (token) =>
    extensions
      ? [
          {
            label: t('Rotate key'),
            icon: IconKey,
            items: graces.map((grace) => ({
              label: labels[grace] ?? '',
              icon: IconKey,
              onClick: () => ask(token, grace),
            })),
          },
          ...(token.old_key_until > 0
            ? [
                {
                  label: t('Revoke old key (valid until {time})', { time: formatTime(token.old_key_until) }),
                  icon: IconKeyOff,
                  onClick: () => end.mutate(token),
                },
              ]
            : []),
        ]
      : [];
}
