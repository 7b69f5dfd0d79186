import type { Budget } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useWords } from '../../i18n/translate.ts';
import type { Column } from '../../ui/list/column.ts';
import { Time } from '../../ui/time.tsx';
import { BudgetBar, budgetPeriodWords } from './budget-bar.tsx';

export const budgetKindWords = { token: 'Token', user: 'User', group: 'Group' } as const;

export function useBudgetColumns(): readonly Column<Budget>[] {
  const { t } = useWords();
  return [
    {
      id: 'owner',
      title: t('Budget of'),
      width: 160,
      grow: 2,
      cell: (budget) => (
        <Text span fw={500} inherit>
          {t(budgetKindWords[budget.kind])} {budget.owner}
          {budget.username !== '' && ` (${budget.username})`}
        </Text>
      ),
    },
    {
      id: 'used',
      title: t('Used'),
      sort: 'used',
      width: 220,
      grow: 3,
      cell: (budget) => <BudgetBar budget={budget} />,
    },
    { id: 'period', title: t('Period'), sort: 'period', width: 90, cell: ({ period }) => t(budgetPeriodWords[period]) },
    { id: 'again', title: t('Begins anew'), width: 150, cell: (budget) => <BeginsAnew budget={budget} /> },
    { id: 'time_zone', title: t('Time zone'), width: 130, isExtra: true, cell: ({ time_zone }) => time_zone },
    {
      id: 'enabled',
      title: t('Status'),
      width: 90,
      cell: ({ enabled }) => (enabled ? t('Enabled') : t('Disabled')),
    },
    { id: 'note', title: t('Note'), width: 120, grow: 1, cell: ({ note }) => note },
  ];
}

export function BeginsAnew({ budget: { period_end } }: { readonly budget: Budget }) {
  const { t } = useWords();
  return period_end === 0 ? t('Never') : <Time seconds={period_end} />;
}
