import { type Redemption, redemptionStatus } from '@headgate/contract';
import { IconCopy, IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import type { RowAction } from '../../ui/list/column.ts';
import { redemptionList, removeRedemption, setRedemptionStatus } from './redemption-queries.ts';

/** Row actions of a code; `showForCopying` receives a key that could not be copied. */
export function useRedemptionActions(showForCopying: (text: string) => void) {
  const { t } = useTranslation();
  const toggle = useToggle();
  const remove = useRemove();
  const copy = (code: Redemption) => void copyWithMessage(code.key, showForCopying);
  const of = (code: Redemption): readonly RowAction[] => {
    const isOff = code.status === redemptionStatus.disabled;
    return [
      { label: t('Copy key'), icon: IconCopy, onClick: () => copy(code), isPrimary: true },
      { label: t('Edit'), icon: IconPencil, to: `/redemption/edit/${code.id}` },
      {
        label: isOff ? t('Enable') : t('Disable'),
        icon: isOff ? IconPlayerPlay : IconPlayerStop,
        isDisabled: code.status === redemptionStatus.used,
        onClick: () => toggle.mutate(code),
      },
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        onClick: () =>
          openConfirmation({
            title: t('Delete redemption code {name}?', { name: `${code.name} #${code.id}` }),
            text:
              code.status === redemptionStatus.used
                ? t('The user keeps the redeemed quota. This cannot be undone.')
                : t('The code can no longer be redeemed. This cannot be undone.'),
            confirm: t('Delete code'),
            onConfirm: () => remove.mutate(code),
          }),
      },
    ];
  };
  return { of, copy };
}

/** Optimistic; reverted with the reason if the server rejects it. */
function useToggle() {
  const { t } = useTranslation();
  const cache = useListCache<Redemption>(redemptionList);
  const opposite = ({ status }: Redemption) =>
    status === redemptionStatus.disabled ? redemptionStatus.unused : redemptionStatus.disabled;
  return useMutation({
    mutationFn: (code: Redemption) => setRedemptionStatus(code.id, opposite(code)),
    onMutate: (code) => cache.patch(code.id, { status: opposite(code) }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, code) => cache.patch(code.id, { status: code.status }),
    onSettled: cache.refresh,
  });
}

function useRemove() {
  const { t } = useTranslation();
  const cache = useListCache<Redemption>(redemptionList);
  return useMutation({
    mutationFn: (code: Redemption) => removeRedemption(code.id),
    onSuccess: (_, code) => {
      cache.remove(code.id);
      showMessage('success', t('Operation completed successfully'));
    },
    onSettled: cache.refresh,
  });
}
