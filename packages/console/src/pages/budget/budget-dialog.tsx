import { type Budget, type BudgetKind, type BudgetPeriod, budgetNoteLength, budgetPeriods } from '@headgate/contract';
import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list.ts';
import { showMessage } from '../../lib/messages.ts';
import { QuotaInput } from '../../ui/form/quota-input.tsx';
import { useQuotaRule } from '../../ui/form/quota-rule.ts';
import { budgetPeriodWords } from './budget-bar.tsx';
import { budgetKindWords } from './budget-columns.tsx';
import { budgetList, createBudget, groupsQuery, ownTokensQuery, seesAll, updateBudget } from './budget-queries.ts';

interface BudgetForm {
  readonly kind: BudgetKind;
  readonly owner_id: number | '';
  readonly group: string;
  readonly amount: number | '';
  readonly period: BudgetPeriod;
  readonly time_zone: string;
  readonly note: string;
}

interface BudgetDialogProps {
  /** `new` for one that is yet to be made; undefined: closed. */
  readonly budget: Budget | 'new' | undefined;
  readonly onClose: () => void;
}

export function BudgetDialog({ budget, onClose }: BudgetDialogProps) {
  const { t } = useWords();
  const title = budget === 'new' ? t('Add budget') : t('Edit budget');
  return (
    <Modal opened={budget !== undefined} onClose={onClose} title={title}>
      {budget && <BudgetFields budget={budget === 'new' ? undefined : budget} onClose={onClose} />}
    </Modal>
  );
}

const newBudget = (): BudgetForm => ({
  kind: seesAll() ? 'group' : 'token',
  owner_id: '',
  group: '',
  amount: '',
  period: 'month',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  note: '',
});

function BudgetFields({ budget, onClose }: { readonly budget: Budget | undefined; readonly onClose: () => void }) {
  const { t } = useWords();
  const mistakeOfQuota = useQuotaRule();
  const cache = useListCache<Budget>(budgetList);
  const form = useForm<BudgetForm>({
    initialValues: { ...newBudget(), ...budget },
    validate: {
      owner_id: (id, { kind }) => (kind !== 'group' && !budget && id === '' ? t('Choose whose budget it is') : null),
      group: (group, { kind }) => (kind === 'group' && !budget && group === '' ? t('Choose whose budget it is') : null),
      amount: (amount) => mistakeOfQuota(amount) ?? (amount === '' || amount < 1 ? t('Must be at least 1') : null),
    },
  });
  const save = useMutation({
    mutationFn: (values: BudgetForm) => saveBudget(budget, values),
    onSuccess: () => {
      showMessage('success', t('Budget saved'));
      void cache.refresh();
      onClose();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack gap="md">
        {!budget && <OwnerFields form={form} />}
        <QuotaInput label={t('Amount')} required {...form.getInputProps('amount')} value={form.values.amount} />
        <Select
          label={t('Period')}
          description={t('After it the budget begins anew. Another period or time zone begins one now.')}
          allowDeselect={false}
          data={budgetPeriods.map((value) => ({ value, label: t(budgetPeriodWords[value]) }))}
          {...form.getInputProps('period')}
        />
        <Select
          label={t('Time zone')}
          searchable
          allowDeselect={false}
          limit={100}
          data={[...new Set([form.values.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          {...form.getInputProps('time_zone')}
        />
        <TextInput label={t('Note')} maxLength={budgetNoteLength.max} {...form.getInputProps('note')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('Save budget')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Form = Pick<UseFormReturnType<BudgetForm>, 'values' | 'getInputProps' | 'setFieldValue'>;

function OwnerFields({ form }: { readonly form: Form }) {
  const { t } = useWords();
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled: seesAll() });
  const { kind } = form.values;
  if (!seesAll()) return <OwnToken form={form} />;
  return (
    <>
      <Select
        label={t('Budget of')}
        allowDeselect={false}
        data={(['group', 'user', 'token'] as const).map((value) => ({ value, label: t(budgetKindWords[value]) }))}
        {...form.getInputProps('kind')}
      />
      {kind === 'group' ? (
        <Select label={t('Group')} required searchable data={[...groups]} {...form.getInputProps('group')} />
      ) : (
        <NumberInput
          label={kind === 'user' ? t('ID of the user') : t('ID of the token')}
          required
          min={1}
          allowDecimal={false}
          {...form.getInputProps('owner_id')}
        />
      )}
    </>
  );
}

function OwnToken({ form }: { readonly form: Form }) {
  const { t } = useWords();
  const { data: tokens = [] } = useQuery(ownTokensQuery);
  const { value, onChange, ...props } = form.getInputProps('owner_id');
  return (
    <Select
      label={t('Token')}
      required
      searchable
      data={tokens.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
      {...props}
      value={value === '' ? null : String(value)}
      onChange={(id) => form.setFieldValue('owner_id', id === null ? '' : Number(id))}
    />
  );
}

function saveBudget(budget: Budget | undefined, { kind, owner_id, group, ...values }: BudgetForm) {
  const { period, time_zone, note } = values;
  const terms = { amount: Number(values.amount), period, time_zone, note };
  if (budget) return updateBudget({ id: budget.id, ...terms });
  return createBudget({ kind, ...(kind === 'group' ? { group } : { owner_id: Number(owner_id) }), ...terms });
}
