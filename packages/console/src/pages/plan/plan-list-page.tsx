import type { Plan } from '@headgate/contract';
import { Button } from '@mantine/core';
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useList, useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { Column } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { WindowList } from '../../ui/plan/plan-windows.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { planList, readPlans, removePlan } from './plan-queries.ts';

const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog.tsx')).PlanDialog }));

/** Plans for sale. */
export function PlanListPage() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Plan | 'new'>();
  const list = useList<Plan>({ name: planList, read: readPlans });
  const cache = useListCache<Plan>(planList);
  const remove = useMutation({
    mutationFn: removePlan,
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: cache.refresh,
  });
  return (
    <ListPage
      title={t('Plans')}
      list={list}
      columns={useColumns()}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={(plan) => [
        { label: t('Edit'), icon: IconPencil, onClick: () => setOpen(plan), isPrimary: true },
        { label: t('Assigned plans'), icon: IconUsers, to: `/plan/user?plan_id=${plan.id}` },
        {
          label: t('Delete'),
          icon: IconTrash,
          isDanger: true,
          onClick: () =>
            openConfirmation({
              title: t('Delete the plan {name}?', { name: plan.name }),
              text: t('Users keep their plans until they end.'),
              confirm: t('Delete plan'),
              onConfirm: () => remove.mutate(plan.id),
            }),
        },
      ]}
      tools={
        <Button component={Link} to="/plan/user" variant="default" px="sm">
          {t('Assigned plans')}
        </Button>
      }
      add={{ label: t('Add plan'), onClick: () => setOpen('new') }}
      searchLabel={t('Search plans')}
      emptyText={t('No plans yet')}
      card={(plan) => ({
        title: plan.name,
        status: <SaleDot plan={plan} />,
        facts: [
          { name: t('Price'), value: <PlanPrice plan={plan} />, isPlain: plan.price > 0 },
          { name: t('Duration (days)'), value: plan.days },
          { name: t('Windows'), value: <WindowList windows={plan.windows} />, isWide: true, isPlain: true },
        ],
      })}
    >
      <Suspense fallback={null}>
        {open && <PlanDialog plan={open === 'new' ? undefined : open} onClosed={() => setOpen(undefined)} />}
      </Suspense>
    </ListPage>
  );
}

function PlanPrice({ plan: { price, currency, days, recurring } }: { readonly plan: Plan }) {
  const { t } = useTranslation();
  if (price === 0) return '—';
  const text = formatCurrency(price, currency);
  return recurring ? t('{price} every {days} days', { price: text, days }) : text;
}

function SaleDot({ plan: { enabled, price, windows } }: { readonly plan: Plan }) {
  const { t } = useTranslation();
  if (windows.length === 0) return <Dot color="red" text={t('Windows unreadable')} />;
  return enabled && price > 0 ? (
    <Dot color="green" text={t('For sale')} />
  ) : (
    <Dot color="gray" text={t('Not for sale')} />
  );
}

function useColumns(): readonly Column<Plan>[] {
  const { t } = useTranslation();
  return [
    { id: 'id', title: t('ID'), isNumber: true, width: 84, cell: ({ id }) => id },
    { id: 'name', title: t('Name'), width: 150, grow: 2, cell: ({ name }) => name },
    { id: 'state', title: t('Status'), width: 120, cell: (plan) => <SaleDot plan={plan} /> },
    { id: 'price', title: t('Price'), width: 150, isNumber: true, cell: (plan) => <PlanPrice plan={plan} /> },
    { id: 'days', title: t('Duration (days)'), width: 120, isNumber: true, cell: ({ days }) => days },
    {
      id: 'windows',
      title: t('Windows'),
      width: 200,
      grow: 2,
      cell: ({ windows }) => <WindowList windows={windows} />,
    },
  ];
}
