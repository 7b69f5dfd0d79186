import { type Budget, limitStatus, limitStatuses } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { BudgetBar, budgetOwnerLabel, budgetPeriodLabels } from '../../ui/effective-limits/budget-bar.tsx';
import type { Column } from '../../ui/list/column.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { SubjectLink } from '../../ui/subject/subject-link.tsx';
import { Time } from '../../ui/time.tsx';

export function useBudgetColumns(): readonly Column<Budget>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'owner',
      title: t('Budget for'),
      width: 200,
      grow: 4,
      isName: true,
      cell: (budget) => <BudgetOwnerName budget={budget} />,
    },
    {
      id: 'used',
      title: t('Usage'),
      sort: 'used',
      width: 240,
      grow: 1,
      cell: (budget) => <BudgetBar budget={budget} />,
    },
    {
      id: 'period',
      title: t('Period'),
      sort: 'period',
      width: 90,
      cell: ({ period }) => t(budgetPeriodLabels[period]),
    },
    { id: 'again', title: t('Resets'), width: 150, cell: (budget) => <BudgetReset budget={budget} /> },
    { id: 'time_zone', title: t('Time zone'), width: 130, isExtra: true, cell: ({ time_zone }) => time_zone },
    {
      id: 'enabled',
      title: t('Status'),
      width: 90,
      cell: (budget) => <BudgetStatus budget={budget} />,
    },
    {
      id: 'note',
      title: t('Note'),
      width: 96,
      grow: 1,
      isBlank: ({ note }) => note === '',
      cell: ({ note }) => note,
    },
  ];
}

/** Owner of a budget, linked if it has a page. */
export function BudgetOwnerName({ budget }: { readonly budget: Budget }) {
  const { t } = useTranslation();
  const { kind, owner_id: id, user_id: ownerId } = budget;
  const text = budgetOwnerLabel(t, budget);
  return (
    <Text span fw={500} inherit>
      {kind !== 'user' && kind !== 'token' ? text : <SubjectLink kind={kind} id={id} ownerId={ownerId} text={text} />}
    </Text>
  );
}

export function BudgetStatus({ budget: { enabled } }: { readonly budget: Budget }) {
  return <StatusDot status={enabled ? limitStatus.enabled : limitStatus.disabled} statuses={limitStatuses} />;
}

export function BudgetReset({ budget: { period_end } }: { readonly budget: Budget }) {
  const { t } = useTranslation();
  return period_end === 0 ? t('Never') : <Time seconds={period_end} />;
}
