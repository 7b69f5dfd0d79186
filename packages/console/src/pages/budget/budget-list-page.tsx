import type { Budget } from '@headgate/contract';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { useList } from '../../lib/list.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { useBudgetActions } from './budget-actions.tsx';
import { BudgetBar } from './budget-bar.tsx';
import { BeginsAnew, budgetKindWords, useBudgetColumns } from './budget-columns.tsx';
import { budgetList, readBudgets } from './budget-queries.ts';

const BudgetDialog = lazy(async () => ({ default: (await import('./budget-dialog.tsx')).BudgetDialog }));

/** Budgets and what is used of them: for admins all, for others those of the own account and tokens. */
export function BudgetListPage() {
  const { t } = useWords();
  const [open, setOpen] = useState<Budget | 'new'>();
  const list = useList<Budget>({ name: budgetList, read: readBudgets });
  const actions = useBudgetActions(setOpen);
  const columns = useBudgetColumns();
  return (
    <ListPage
      title={t('Budgets')}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ kind, owner }) => `${t(budgetKindWords[kind])} ${owner}`}
      actions={actions}
      tools={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          {t('Add budget')}
        </Button>
      }
      searchLabel={t('Search by owner and note')}
      emptyWords={t('There are no budgets yet')}
      card={(budget) => ({
        title: `${t(budgetKindWords[budget.kind])} ${budget.owner}`,
        status: budget.enabled ? t('Enabled') : t('Disabled'),
        facts: [
          { name: t('Used'), value: <BudgetBar budget={budget} /> },
          { name: t('Begins anew'), value: <BeginsAnew budget={budget} /> },
          { name: t('Note'), value: budget.note || t('None') },
        ],
      })}
    >
      <Suspense fallback={null}>{open && <BudgetDialog budget={open} onClose={() => setOpen(undefined)} />}</Suspense>
    </ListPage>
  );
}
