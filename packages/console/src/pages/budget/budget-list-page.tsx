import { type Budget, commonBudgetKinds } from '@headgate/contract';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUrlAction } from '../../lib/api/url-action.ts';
import { useList } from '../../lib/list/list.ts';
import { BudgetBar, budgetOwnerLabel } from '../../ui/effective-limits/budget-bar.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import { useBudgetActions } from './budget-actions.tsx';
import { BudgetOwnerName, BudgetReset, BudgetStatus, useBudgetColumns } from './budget-columns.tsx';
import type { BudgetOwner } from './budget-dialog.tsx';
import { budgetList, readBudgets } from './budget-queries.ts';

const BudgetDialog = lazy(async () => ({ default: (await import('./budget-dialog.tsx')).BudgetDialog }));

/** Budgets with their usage: all for admins, own account and tokens for others. */
export function BudgetListPage() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Budget | Partial<BudgetOwner>>();
  const list = useList<Budget>({ name: budgetList, read: readBudgets });
  const actions = useBudgetActions(setOpen);
  const columns = useBudgetColumns();
  const searchParams = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  useUrlAction(!(list.isLoading || list.isRefreshing), (name) => {
    if (name === 'add') setOpen(ownerIn(searchParams));
    if (name === 'edit') setOpen(list.rows.find(({ id }) => id === Number(searchParams['keyword'])));
  });
  return (
    <ListPage
      title={t('Budgets')}
      list={list}
      managed="budget"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={(budget) => budgetOwnerLabel(t, budget)}
      actions={actions}
      add={{ label: t('Add budget'), onClick: () => setOpen({}) }}
      searchLabel={t('Search by owner and note')}
      emptyText={t('No budgets yet')}
      card={(budget) => ({
        title: <BudgetOwnerName budget={budget} />,
        status: <BudgetStatus budget={budget} />,
        facts: [
          { name: t('Usage'), value: <BudgetBar budget={budget} />, isWide: true, isPlain: true },
          { name: t('Resets'), value: <BudgetReset budget={budget} /> },
          ...(budget.note === '' ? [] : [{ name: t('Note'), value: budget.note, isPlain: true }]),
        ],
      })}
    >
      <Suspense fallback={null}>{open && <BudgetDialog budget={open} onClosed={() => setOpen(undefined)} />}</Suspense>
    </ListPage>
  );
}

/** Owner in the URL: `?do=add&kind=token&owner_id=7`. */
function ownerIn({ kind, owner_id, group, tag }: Readonly<Record<string, unknown>>): Partial<BudgetOwner> {
  const known = commonBudgetKinds.find((each) => each === kind);
  const id = Number(owner_id);
  if (known === 'group') return typeof group === 'string' ? { kind: known, group } : { kind: known };
  if (known === 'tag') return typeof tag === 'string' ? { kind: known, tag } : { kind: known };
  return known && Number.isSafeInteger(id) && id > 0 ? { kind: known, owner_id: id } : {};
}
