import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../../i18n/translate.ts';
import { copyAndTell } from '../../../ui/copy-and-tell.ts';
import { readInviteCode } from './personal-queries.ts';

/** Invitation link of this user. */
export function useInviteLink() {
  const { t } = useWords();
  const read = useMutation({
    mutationFn: async () => `${window.location.origin}/register?aff=${encodeURIComponent(await readInviteCode())}`,
    onSuccess: (link) => copyAndTell(link, undefined, t('Invite link copied')),
  });
  return { link: read.data, isPending: read.isPending, copy: () => read.mutate() };
}
