import { type AdminToken, splitCommas, userSupportApi } from '@headgate/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';

/** Binding of a token; empty means any channel. */
export interface Binding {
  readonly channels: readonly number[];
  readonly tags: readonly string[];
}

export const bindingOf = ({ channels, tags }: Pick<AdminToken, 'channels' | 'tags'>): Binding => ({
  channels: splitCommas(channels).map(Number),
  tags: splitCommas(tags),
});

export const isBound = ({ channels, tags }: Binding): boolean => channels.length + tags.length > 0;

/** Changes the binding of a user's token and refetches tokens. */
export function useBinding(userId: number, tokenId: number) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ channels, tags }: Binding) =>
      call(userSupportApi.bindToken, {
        params: { id: userId },
        body: { token: tokenId, channels: channels.join(), tags: tags.join() },
      }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['user', 'tokens', userId] });
      await queries.invalidateQueries({ queryKey: ['token'] });
    },
  });
}
