import {
  currencyNames,
  maxPlanDays,
  maxRecurringDays,
  maxWindowHours,
  type Plan,
  planApi,
  planNameLength,
  planTextLength,
  type WindowPeriod,
  windowPeriods,
} from '@headgate/contract';
import { Checkbox, Group, NativeSelect, Select, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { useListCache } from '../../lib/list/list.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { NameField, NamesField } from '../../ui/subject/name-field.tsx';
import { formOf, hasWindow, isWhole, newPlan, type PlanForm, parsePrice, termsOf } from './plan-form.ts';
import { createPlan, planList, updatePlan } from './plan-queries.ts';

interface PlanDialogProps {
  /** Undefined for a new plan. */
  readonly plan: Plan | undefined;
  readonly onClosed: () => void;
}

export function PlanDialog({ plan, onClosed }: PlanDialogProps) {
  if (!plan) return <PlanFields edit={undefined} onClosed={onClosed} />;
  return (
    <EditResourceInDialog
      endpoint={planApi.get}
      input={{ params: { id: plan.id } }}
      shown={(each) => termsOf(formOf(each))}
      onFailed={onClosed}
    >
      {(edit) => <PlanFields edit={edit} onClosed={onClosed} />}
    </EditResourceInDialog>
  );
}

interface PlanFieldsProps {
  readonly edit: Edit<Plan> | undefined;
  readonly onClosed: () => void;
}

function PlanFields({ edit, onClosed }: PlanFieldsProps) {
  const { t } = useTranslation();
  const cache = useListCache<Plan>(planList);
  const form = useForm<PlanForm>({
    initialValues: edit ? formOf(edit.thing) : newPlan(browserTimeZone()),
    validate: {
      name: (name) => (name.trim() === '' ? t('Enter a name') : null),
      price: (price, { currency }) => (parsePrice(price, currency) === undefined ? t('Enter a price') : null),
      days: (days, { recurring }) =>
        isWhole(days, 1, recurring ? maxRecurringDays : maxPlanDays) ? null : t('Enter a whole number'),
      hours: (hours, { amounts }) =>
        amounts.hours === '' || isWhole(hours, 1, maxWindowHours) ? null : t('Enter a whole number'),
      amounts: {
        all: (_, values) => (hasWindow(values) ? null : t('Enter at least one amount')),
      },
      max_per_user: (count) => (isWhole(count, 0, 1000) ? null : t('Enter a whole number')),
      sort: (sort) => (isWhole(sort, -1_000_000, 1_000_000) ? null : t('Enter a whole number')),
    },
  });
  const save = useMutation({
    mutationFn: (values: PlanForm) =>
      edit
        ? edit.save((options) => updatePlan({ id: edit.thing.id, ...termsOf(values) }, options))
        : createPlan(termsOf(values)),
    onSuccess: () => {
      showMessage('success', t('Plan saved'));
      void cache.refresh();
    },
  });
  return (
    <FormDialog
      title={edit ? t('Edit plan') : t('Add plan')}
      submitLabel={t('Save plan')}
      isManaged={useManaged('plan')(edit?.thing.id)}
      size="lg"
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
    >
      <FormSection title={t('General')}>
        <TextInput label={t('Name')} required maxLength={planNameLength.max} {...form.getInputProps('name')} />
        <Textarea
          label={t('Description')}
          autosize
          maxLength={planTextLength.max}
          {...form.getInputProps('description')}
        />
        <Group grow align="flex-start">
          <TextInput
            label={t('Price')}
            description={t('Leave empty if the plan is not for sale.')}
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('price')}
          />
          <NativeSelect
            label={t('Currency')}
            description={t('Must match the payment provider')}
            data={currencyNames.map((value) => ({ value, label: value.toUpperCase() }))}
            {...form.getInputProps('currency')}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput label={t('Duration (days)')} required inputMode="numeric" {...form.getInputProps('days')} />
          <TextInput
            label={t('Plans per user')}
            description={t('0 for no limit')}
            inputMode="numeric"
            {...form.getInputProps('max_per_user')}
          />
        </Group>
        <Checkbox
          label={t('Recurring')}
          description={t('Renews after this many days until the user cancels. Stripe only, at most 1,095 days.')}
          {...form.getInputProps('recurring', { type: 'checkbox' })}
        />
        <TextInput
          label={t('Position')}
          description={t('Plans with lower numbers are shown first.')}
          {...form.getInputProps('sort')}
        />
        <Checkbox label={t('For sale')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
      </FormSection>
      <FormSection title={t('Allowances')}>
        <WindowFields form={form} />
      </FormSection>
      <FormSection title={t('Applies to')}>
        <FilterFields form={form} />
      </FormSection>
    </FormDialog>
  );
}

const amountLabels = {
  hours: 'Amount per rolling window',
  day: 'Amount per day',
  week: 'Amount per week',
  month: 'Amount per month',
  all: 'Total amount',
} as const satisfies Record<WindowPeriod, TextKey>;

interface PartProps {
  readonly form: UseFormReturnType<PlanForm>;
}

/** A request needs room in every window that has an amount. */
function WindowFields({ form }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      {windowPeriods.map((period) => (
        <Group key={period} grow align="flex-start">
          <MoneyInput
            label={t(amountLabels[period])}
            {...form.getInputProps(`amounts.${period}`)}
            value={form.values.amounts[period]}
          />
          {period === 'hours' && (
            <TextInput label={t('Hours of the rolling window')} inputMode="numeric" {...form.getInputProps('hours')} />
          )}
        </Group>
      ))}
      <Select
        label={t('Time zone')}
        searchable
        allowDeselect={false}
        limit={100}
        data={[...new Set([form.values.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        {...form.getInputProps('time_zone')}
      />
    </>
  );
}

function FilterFields({ form }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <NamesField
        source="model"
        label={t('Models')}
        description={t('Empty: all models. End a name with * to match all names with this prefix.')}
        {...form.getInputProps('models')}
        value={form.values.models}
      />
      <NamesField
        source="group"
        label={t('Groups')}
        description={t('Empty: all groups')}
        {...form.getInputProps('groups')}
        value={form.values.groups}
      />
      <NameField
        source="group"
        label={t('Additional group')}
        description={t('Added to the groups of the user while the plan is valid.')}
        {...form.getInputProps('upgrade_group')}
        value={form.values.upgrade_group}
      />
    </>
  );
}
