import { type UserPlan, userPlanStates } from '@headgate/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useList, useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { Column } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { UsedWindows, UsedWindowsShort } from '../../ui/plan/plan-windows.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { readUserPlans, removeUserPlan, userPlanList } from './plan-queries.ts';

const AssignDialog = lazy(async () => ({ default: (await import('./assign-dialog.tsx')).AssignDialog }));

const isEnded = ({ state, ends_time }: UserPlan): boolean => state !== 'active' || ends_time * 1000 <= Date.now();

/** Plans of users: bought, or assigned by an admin. */
export function UserPlanListPage() {
  const { t } = useTranslation();
  const { plan_id } = useSearch({ strict: false }) as { readonly plan_id?: unknown };
  const planId = Number.isSafeInteger(Number(plan_id)) && Number(plan_id) > 0 ? Number(plan_id) : undefined;
  const list = useList<UserPlan>({ name: userPlanList, read: readUserPlans(planId), dependencies: planId });
  const cache = useListCache<UserPlan>(userPlanList);
  const [isAssigning, setAssigning] = useState(false);
  const remove = useMutation({
    mutationFn: removeUserPlan,
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: cache.refresh,
  });
  return (
    <ListPage
      title={t('Assigned plans')}
      list={list}
      columns={useColumns()}
      rowKey={({ id }) => id}
      rowName={({ name, username }) => `${name} (${username})`}
      actions={(plan) => [
        {
          label: t('Remove plan'),
          icon: IconTrash,
          isDanger: true,
          isDisabled: isEnded(plan),
          onClick: () =>
            openConfirmation({
              title: t('Remove the plan {name} of {user}?', { name: plan.name, user: plan.username }),
              text: t('The plan ends immediately. The payment is not refunded.'),
              confirm: t('Remove plan'),
              onConfirm: () => remove.mutate(plan.id),
            }),
        },
      ]}
      add={{ label: t('Assign plan'), onClick: () => setAssigning(true) }}
      emptyText={t('No plans yet')}
      card={(plan) => ({
        title: `${plan.name} (${plan.username || t('Deleted account')})`,
        status: <PlanStateDot plan={plan} />,
        facts: [
          { name: t('Valid until'), value: <Time seconds={plan.ends_time} /> },
          { name: t('Usage'), value: <UsedWindows windows={plan.windows} />, isWide: true },
        ],
      })}
    >
      <Suspense fallback={null}>{isAssigning && <AssignDialog onClosed={() => setAssigning(false)} />}</Suspense>
    </ListPage>
  );
}

function PlanStateDot({ plan }: { readonly plan: UserPlan }) {
  const { t, label } = useTranslation();
  const { state } = plan;
  if (state === 'active' && isEnded(plan)) return <Dot color="gray" text={t('Expired')} />;
  return <Dot color={userPlanStates[state].color} text={label(userPlanStates[state].label)} />;
}

function useColumns(): readonly Column<UserPlan>[] {
  const { t } = useTranslation();
  return [
    { id: 'id', title: t('ID'), isNumber: true, width: 64, cell: ({ id }) => id },
    { id: 'username', title: t('User'), width: 120, grow: 1, cell: ({ username }) => username || t('Deleted account') },
    { id: 'name', title: t('Plan'), width: 120, grow: 1, cell: ({ name }) => name },
    { id: 'state', title: t('Status'), width: 110, cell: (plan) => <PlanStateDot plan={plan} /> },
    { id: 'ends', title: t('Valid until'), width: 144, cell: ({ ends_time }) => <Time seconds={ends_time} /> },
    {
      id: 'usage',
      title: t('Usage'),
      width: 260,
      grow: 2,
      cell: ({ windows }) => <UsedWindowsShort windows={windows} />,
    },
  ];
}
