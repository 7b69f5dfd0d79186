import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import { readInviteCode } from './personal-queries.ts';

/** Invitation link of this user. */
export function useInviteLink() {
  const { t } = useTranslation();
  const read = useMutation({
    mutationFn: async () => `${window.location.origin}/register?aff=${encodeURIComponent(await readInviteCode())}`,
    onSuccess: (link) => copyWithMessage(link, undefined, t('Invite link copied')),
  });
  return { link: read.data, isPending: read.isPending, copy: () => read.mutate() };
}
