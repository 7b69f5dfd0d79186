import type { LimitRule } from '@headgate/contract';
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { scopeText, useAllowanceText } from '../../ui/effective-limits/limit-labels.ts';
import type { RowAction } from '../../ui/list/column.ts';
import { limitList, removeLimit, setLimitEnabled } from './limit-queries.ts';

/** Row actions of a limit. */
export function useLimitActions() {
  const { t } = useTranslation();
  const toggle = useToggle();
  const remove = useRemove();
  const allowanceText = useAllowanceText();
  return (rule: LimitRule): readonly RowAction[] => [
    { label: t('Edit'), icon: IconPencil, to: `/limit/edit/${rule.id}`, isPrimary: true, ifManaged: 'reads' },
    {
      label: rule.enabled ? t('Disable') : t('Enable'),
      icon: rule.enabled ? IconPlayerStop : IconPlayerPlay,
      ifManaged: 'refused',
      onClick: () => toggle.mutate(rule),
    },
    {
      label: t('Delete'),
      icon: IconTrash,
      isDanger: true,
      ifManaged: 'refused',
      onClick: () =>
        openConfirmation({
          title: t('Delete this limit?'),
          text: `${scopeText(t, rule)}: ${allowanceText(rule)}. ${t('This cannot be undone.')}`,
          confirm: t('Delete limit'),
          onConfirm: () => remove.mutate(rule),
        }),
    },
  ];
}

/** Optimistic; reverted with the reason if the server rejects it. */
function useToggle() {
  const { t } = useTranslation();
  const cache = useListCache<LimitRule>(limitList);
  return useMutation({
    mutationFn: ({ id, enabled }: LimitRule) => setLimitEnabled(id, !enabled),
    onMutate: ({ id, enabled }) => cache.patch(id, { enabled: !enabled }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, { id, enabled }) => cache.patch(id, { enabled }),
    onSettled: cache.refresh,
  });
}

function useRemove() {
  const { t } = useTranslation();
  const cache = useListCache<LimitRule>(limitList);
  return useMutation({
    mutationFn: ({ id }: LimitRule) => removeLimit(id),
    onSuccess: (_, { id }) => {
      cache.remove(id);
      showMessage('success', t('Operation completed successfully'));
    },
    onSettled: cache.refresh,
  });
}
