import { maxPlanDays, planTextLength, type UserPlan } from '@headgate/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { plansQuery } from '../../ui/plan/plans-query.ts';
import { SubjectSelect } from '../../ui/subject/subject-select.tsx';
import { isWhole } from './plan-form.ts';
import { assignPlan, userPlanList } from './plan-queries.ts';

interface AssignForm {
  readonly user_id: number | '';
  readonly plan_id: string;
  readonly days: string;
  readonly note: string;
}

/** Gives a user a plan without a payment. */
export function AssignDialog({ onClosed }: { readonly onClosed: () => void }) {
  const { t } = useTranslation();
  const { data: plans = [] } = useQuery(plansQuery);
  const cache = useListCache<UserPlan>(userPlanList);
  const form = useForm<AssignForm>({
    initialValues: { user_id: '', plan_id: '', days: '', note: '' },
    validate: {
      user_id: (id) => (id === '' ? t('Select a user') : null),
      plan_id: (id) => (id === '' ? t('Select a plan') : null),
      days: (days) => (days === '' || isWhole(days, 1, maxPlanDays) ? null : t('Enter a whole number')),
    },
  });
  const assign = useMutation({
    mutationFn: ({ user_id, plan_id, days, note }: AssignForm) =>
      assignPlan({
        user_id: Number(user_id),
        plan_id: Number(plan_id),
        note,
        ...(days !== '' && { days: Number(days) }),
      }),
    onSuccess: () => {
      showMessage('success', t('Plan assigned'));
      void cache.refresh();
    },
  });
  return (
    <FormDialog
      title={t('Assign plan')}
      submitLabel={t('Assign plan')}
      isSaving={assign.isPending}
      isSaved={assign.isSuccess}
      onSubmit={form.onSubmit((values) => assign.mutate(values))}
      onClosed={onClosed}
    >
      <SubjectSelect
        source="user"
        label={t('User')}
        required
        {...form.getInputProps('user_id')}
        value={form.values.user_id}
      />
      <NativeSelect
        label={t('Plan')}
        required
        data={[{ value: '', label: '' }, ...plans.map(({ id, name }) => ({ value: String(id), label: name }))]}
        {...form.getInputProps('plan_id')}
      />
      <TextInput
        label={t('Duration (days)')}
        description={t('Empty: those of the plan')}
        inputMode="numeric"
        {...form.getInputProps('days')}
      />
      <TextInput label={t('Note')} maxLength={planTextLength.max} {...form.getInputProps('note')} />
    </FormDialog>
  );
}
