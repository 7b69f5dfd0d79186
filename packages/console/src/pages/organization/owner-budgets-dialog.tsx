import {
  type Budget,
  type BudgetPeriod,
  budgetPeriods,
  type Organization,
  organizationBudgetApi,
  type organizationBudgetKinds,
} from '@headgate/contract';
import { ActionIcon, Group, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { BudgetBar, budgetPeriodLabels } from '../../ui/effective-limits/budget-bar.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useQuotaValidation } from '../../ui/form/validate-quota.ts';
import { budgetsOf, budgetsQuery, refreshOrganizations } from './organization-queries.ts';

interface BudgetedOwner {
  readonly kind: (typeof organizationBudgetKinds)[number];
  /** `owner_id` of the budgets: of the membership, project, API token or organization. */
  readonly id: number;
  readonly name: string;
  /** ID of the user, for a member. */
  readonly userId?: number;
}

interface OwnerBudgetsDialogProps {
  readonly organization: Organization;
  readonly owner: BudgetedOwner;
  readonly onClosed: () => void;
}

/** Sets an owner's budget for one period. Each period has at most one budget. */
export function OwnerBudgetsDialog({ organization, owner, onClosed }: OwnerBudgetsDialogProps) {
  const { t } = useTranslation();
  const { data = [], isPending } = useQuery(budgetsQuery(organization.id));
  const existing = budgetsOf(data, owner.kind, owner.id);
  if (isPending) return null;
  const title =
    owner.kind === 'member' ? t('Cap of {name}', { name: owner.name }) : t('Budget of {name}', { name: owner.name });
  return <BudgetForm title={title} existing={existing} organization={organization} owner={owner} onClosed={onClosed} />;
}

interface BudgetFormProps extends OwnerBudgetsDialogProps {
  readonly title: string;
  readonly existing: readonly Budget[];
}

function BudgetForm({ title, existing, organization, owner, onClosed }: BudgetFormProps) {
  const { t } = useTranslation();
  const validate = useQuotaValidation({ isPositive: true });
  const [first] = existing;
  const form = useForm<{ period: BudgetPeriod; amount: number | '' }>({
    initialValues: { period: first?.period ?? 'month', amount: first?.amount ?? '' },
    validate: { amount: validate },
  });
  const amountOf = (period: BudgetPeriod) => existing.find((budget) => budget.period === period)?.amount ?? '';
  const { save, remove } = useBudgetChanges(organization, owner, existing);
  return (
    <FormDialog
      title={title}
      submitLabel={owner.kind === 'member' ? t('Save cap') : t('Save budget')}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit(({ period, amount }) => save.mutate({ period, amount: Number(amount) }))}
      onClosed={onClosed}
    >
      {existing.length > 0 && (
        <Stack gap="sm">
          {existing.map((budget) => (
            <Group key={budget.id} wrap="nowrap" gap="sm">
              <div style={{ flex: 1 }}>
                <BudgetBar budget={budget} />
              </div>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('Delete budget: {period}', { period: t(budgetPeriodLabels[budget.period]) })}
                loading={remove.isPending && remove.variables === budget.id}
                onClick={() => remove.mutate(budget.id)}
              >
                <IconTrash size={16} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <MoneyInput label={t('Amount')} required {...form.getInputProps('amount')} value={form.values.amount} />
      <Select
        label={t('Period')}
        description={t('Requests are rejected once the amount is used, until the next period.')}
        allowDeselect={false}
        data={budgetPeriods.map((value) => ({ value, label: t(budgetPeriodLabels[value]) }))}
        value={form.values.period}
        onChange={(value) => {
          const period = budgetPeriods.find((each) => each === value) ?? 'month';
          form.setValues({ period, amount: amountOf(period) === '' ? form.values.amount : amountOf(period) });
        }}
      />
    </FormDialog>
  );
}

interface Terms {
  readonly period: BudgetPeriod;
  readonly amount: number;
}

function useBudgetChanges({ id }: Organization, owner: BudgetedOwner, existing: readonly Budget[]) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const refresh = () => refreshOrganizations(queries);
  const params = { id };
  const save = useMutation({
    mutationFn: async ({ period, amount }: Terms) => {
      const same = existing.find((budget) => budget.period === period);
      if (same) return call(organizationBudgetApi.update, { params, body: { id: same.id, amount } });
      const owner_id = owner.userId ?? (owner.kind === 'user' ? 0 : owner.id);
      const body = { kind: owner.kind, owner_id, amount, period, time_zone: browserTimeZone() };
      return call(organizationBudgetApi.create, { params, body });
    },
    onSuccess: () => showMessage('success', t('Budget saved')),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (budget: number) => call(organizationBudgetApi.remove, { params: { id, budget } }),
    onSuccess: () => showMessage('success', t('Budget deleted')),
    onSettled: refresh,
  });
  return { save, remove };
}
