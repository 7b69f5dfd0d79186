import {
  type Budget,
  type BudgetKind,
  type BudgetPeriod,
  budgetNoteLength,
  budgetPeriods,
  type CommonBudgetKind,
  commonBudgetKinds,
  isNamedBudgetKind,
  maxTagLength,
  parseTag,
} from '@headgate/contract';
import { Select, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { useListCache } from '../../lib/list/list.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { budgetKindLabels, budgetOwnerLabel, budgetPeriodLabels } from '../../ui/effective-limits/budget-bar.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useQuotaValidation } from '../../ui/form/validate-quota.ts';
import { NameField } from '../../ui/subject/name-field.tsx';
import { SubjectSelect } from '../../ui/subject/subject-select.tsx';
import { budgetList, budgetReader, canSeeAllBudgets, createBudget, updateBudget } from './budget-queries.ts';

/** Preset owner of a new budget. */
export interface BudgetOwner {
  readonly kind: CommonBudgetKind;
  readonly owner_id: number | '';
  readonly group: string;
  readonly tag: string;
}

interface BudgetForm extends BudgetOwner {
  readonly amount: number | '';
  readonly period: BudgetPeriod;
  readonly time_zone: string;
  readonly note: string;
}

interface BudgetDialogProps {
  /** An existing budget, or the owner of a new one, if known. */
  readonly budget: Budget | Partial<BudgetOwner>;
  readonly onClosed: () => void;
}

const newBudget = (): BudgetForm => ({
  kind: canSeeAllBudgets() ? 'group' : 'token',
  owner_id: '',
  group: '',
  tag: '',
  amount: '',
  period: 'month',
  time_zone: browserTimeZone(),
  note: '',
});

/** The owner of an existing budget cannot be changed, so its kind matters only for new budgets. */
const commonKind = (kind: BudgetKind | undefined): CommonBudgetKind =>
  commonBudgetKinds.find((each) => each === kind) ?? newBudget().kind;

export function BudgetDialog({ budget, onClosed }: BudgetDialogProps) {
  if (!('id' in budget)) return <BudgetFields owner={budget} edit={undefined} onClosed={onClosed} />;
  return (
    <EditResourceInDialog
      endpoint={budgetReader()}
      input={{ params: { id: budget.id } }}
      shown={termsOf}
      onFailed={onClosed}
    >
      {(edit) => <BudgetFields owner={edit.thing} edit={edit} onClosed={onClosed} />}
    </EditResourceInDialog>
  );
}

interface BudgetFieldsProps {
  readonly owner: Budget | Partial<BudgetOwner>;
  /** Undefined for a new budget. */
  readonly edit: Edit<Budget> | undefined;
  readonly onClosed: () => void;
}

function BudgetFields({ owner: given, edit, onClosed }: BudgetFieldsProps) {
  const { t } = useTranslation();
  const budget = edit?.thing;
  const mistakeOfQuota = useQuotaValidation({ isPositive: true });
  const cache = useListCache<Budget>(budgetList);
  const form = useForm<BudgetForm>({
    initialValues: { ...newBudget(), ...given, kind: commonKind(given.kind) },
    validate: {
      owner_id: (id, { kind }) =>
        !isNamedBudgetKind(kind) && !budget && id === '' ? t('Select the owner of the budget') : null,
      group: (group, { kind }) =>
        kind === 'group' && !budget && group === '' ? t('Select the owner of the budget') : null,
      tag: (tag, { kind }) =>
        kind === 'tag' && !budget && parseTag(tag) === undefined ? t('Enter a tag as key=value') : null,
      amount: mistakeOfQuota,
    },
  });
  const save = useMutation({
    mutationFn: (values: BudgetForm) => saveBudget(edit, values),
    onSuccess: () => {
      showMessage('success', t('Budget saved'));
      void cache.refresh();
    },
  });
  return (
    <FormDialog
      title={budget ? t('Edit budget') : t('Add budget')}
      submitLabel={t('Save budget')}
      isManaged={useManaged('budget')(budget?.id)}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
    >
      {budget ? <Text fw={500}>{budgetOwnerLabel(t, budget)}</Text> : <OwnerFields form={form} />}
      <MoneyInput label={t('Amount')} required {...form.getInputProps('amount')} value={form.values.amount} />
      <Select
        label={t('Period')}
        description={t('The budget resets after each period. Changing the period or time zone resets it now.')}
        allowDeselect={false}
        data={budgetPeriods.map((value) => ({ value, label: t(budgetPeriodLabels[value]) }))}
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
    </FormDialog>
  );
}

/** Help text by kind of owner: the users and tokens that share the budget. */
const sharedByLabels = {
  group: 'All users in the group share the budget. To limit tokens separately, give each token its own budget.',
  user: 'All tokens of the user share the budget.',
  token: 'Applies to this token only.',
  tag: 'All requests with the tag share the budget. Keys must be listed in the setting Request tag keys.',
} as const satisfies Record<CommonBudgetKind, TextKey>;

/** Owner: any for admins, own tokens for others. */
function OwnerFields({ form }: { readonly form: UseFormReturnType<BudgetForm> }) {
  const { t } = useTranslation();
  const { kind, owner_id, group, tag } = form.values;
  const owner = { required: true, ...form.getInputProps('owner_id'), value: owner_id };
  if (!canSeeAllBudgets()) return <SubjectSelect source="own-token" label={t('Token')} {...owner} />;
  const choose = (next: string | null) =>
    form.setValues({ kind: next as CommonBudgetKind, owner_id: '', group: '', tag: '' });
  return (
    <>
      <Select
        label={t('Budget for')}
        allowDeselect={false}
        description={t(sharedByLabels[kind])}
        data={commonBudgetKinds.toReversed().map((value) => ({ value, label: t(budgetKindLabels[value]) }))}
        value={kind}
        onChange={choose}
      />
      {kind === 'group' && (
        <NameField source="group" label={t('Group')} required {...form.getInputProps('group')} value={group} />
      )}
      {kind === 'tag' && (
        <TextInput
          label={t('Request tag')}
          placeholder="team=search"
          required
          maxLength={maxTagLength}
          spellCheck={false}
          {...form.getInputProps('tag')}
          value={tag}
        />
      )}
      {kind !== 'group' && kind !== 'tag' && (
        <SubjectSelect key={kind} source={kind} label={t(budgetKindLabels[kind])} {...owner} />
      )}
    </>
  );
}

const termsOf = ({ amount, period, time_zone, note }: Omit<BudgetForm, keyof BudgetOwner>) => ({
  amount: Number(amount),
  period,
  time_zone,
  note,
});

function saveBudget(edit: Edit<Budget> | undefined, { kind, owner_id, group, tag, ...values }: BudgetForm) {
  const terms = termsOf(values);
  if (edit) return edit.save((options) => updateBudget({ id: edit.thing.id, ...terms }, options));
  if (kind === 'group') return createBudget({ kind, group, ...terms });
  if (kind === 'tag') return createBudget({ kind, tag, ...terms });
  return createBudget({ kind, owner_id: Number(owner_id), ...terms });
}
