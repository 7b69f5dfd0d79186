import type { Budget } from '@headgate/contract';
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconRotate, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { RowAction } from '../../ui/list/column.ts';
import { budgetList, canSeeAllBudgets, removeBudget, resetBudget, updateBudget } from './budget-queries.ts';

/** Row actions of a budget. Users can only view an account budget set by an admin. */
export function useBudgetActions(edit: (budget: Budget) => void) {
  const { t } = useTranslation();
  const cache = useListCache<Budget>(budgetList);
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: cache.refresh,
  });
  return (budget: Budget): readonly RowAction[] => {
    const { id, enabled, kind, owner } = budget;
    if (kind !== 'token' && !canSeeAllBudgets()) return [];
    return [
      { label: t('Edit'), icon: IconPencil, onClick: () => edit(budget), isPrimary: true, ifManaged: 'reads' },
      {
        label: enabled ? t('Disable') : t('Enable'),
        icon: enabled ? IconPlayerStop : IconPlayerPlay,
        ifManaged: 'refused',
        onClick: () => run.mutate(() => updateBudget({ id, enabled: !enabled })),
      },
      {
        label: t('Reset budget'),
        icon: IconRotate,
        onClick: () =>
          openConfirmation({
            title: t('Reset the budget of {owner}?', { owner }),
            text: t('Usage so far no longer counts.'),
            confirm: t('Reset budget'),
            onConfirm: () => run.mutate(() => resetBudget(id)),
          }),
      },
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        ifManaged: 'refused',
        onClick: () =>
          openConfirmation({
            title: t('Delete the budget of {owner}?', { owner }),
            text: t('Requests are no longer limited by it. This cannot be undone.'),
            confirm: t('Delete budget'),
            onConfirm: () => run.mutate(() => removeBudget(id)),
          }),
      },
    ];
  };
}
