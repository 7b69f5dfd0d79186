import {
  isCountedMeasure,
  type LimitMeasure,
  type LimitRule,
  limitCountScopes,
  limitMeasureNames,
  limitMeasures,
  limitModelLength,
  limitNoteLength,
  limitRuleApi,
  maxTagLength,
  parseTagCondition,
} from '@headgate/contract';
import { NativeSelect, NumberInput, Switch, Text, TextInput, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { lastListSearch } from '../../lib/list/list-state.ts';
import { query } from '../../lib/page/address.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useQuotaValidation } from '../../ui/form/validate-quota.ts';
import { NameField } from '../../ui/subject/name-field.tsx';
import { SubjectSelect } from '../../ui/subject/subject-select.tsx';
import { bodyOf, formOf, type LimitForm, newLimitFor } from './limit-form.ts';
import { createLimit, limitList, updateLimit } from './limit-queries.ts';

/** The subject may be preset in the URL. */
export function LimitAddPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  return <LimitFields edit={undefined} initial={newLimitFor(search)} />;
}

export function LimitEditPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  return (
    <EditResource
      endpoint={limitRuleApi.get}
      input={{ params: { id: Number(id) } }}
      shown={formOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit limit')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <LimitFields edit={edit} initial={formOf(edit.thing)} />}
    </EditResource>
  );
}

function useSave(edit: Edit<LimitRule> | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: LimitForm): Promise<void> => {
      if (edit) await edit.save((options) => updateLimit(edit.thing.id, bodyOf(form), options));
      else await createLimit(bodyOf(form));
    },
    onSuccess: async () => {
      showMessage('success', edit ? t('Limit updated') : t('Limit created'));
      await queries.invalidateQueries({ queryKey: [limitList] });
      await navigate({ to: '/limit', search: query(lastListSearch(limitList)) });
    },
  });
}

interface LimitFieldsProps {
  /** Undefined for a new limit. */
  readonly edit: Edit<LimitRule> | undefined;
  readonly initial: LimitForm;
}

function LimitFields({ edit, initial }: LimitFieldsProps) {
  const { t } = useTranslation();
  const save = useSave(edit);
  const mistakeOfQuota = useQuotaValidation({ isPositive: true });
  const form = useForm<LimitForm>({
    initialValues: initial,
    validate: {
      amount: (amount, { measure }) => {
        if (limitMeasures[measure].counts === 'points') return mistakeOfQuota(amount);
        return amount === '' || amount < 1 ? t('Must be at least 1') : null;
      },
      tag: (tag, { measure, counts_per }) => {
        if (tag.trim() === '') {
          const isNeeded = counts_per === 'tag' && isCountedMeasure(measure);
          return isNeeded ? t('Enter the tag whose values are counted separately') : null;
        }
        return parseTagCondition(tag) === undefined ? t('Enter a tag as key=value') : null;
      },
    },
  });
  const isManaged = useManaged('limit');
  return (
    <FormPage
      isManaged={isManaged(edit?.thing.id)}
      title={edit ? t('Edit limit') : t('Add limit')}
      submitLabel={edit ? t('Save limit') : t('Create limit')}
      isSaving={save.isPending}
      isDirty={form.isDirty() && !save.isSuccess}
      onSubmit={form.onSubmit(
        (values) => save.mutate(values),
        (errors) => focusFirstError(form, errors),
      )}
      back={{ to: '/limit', search: lastListSearch(limitList) }}
    >
      <AllowanceFields form={form} />
      <ScopeFields form={form} />
      <TextInput label={t('Note')} maxLength={limitNoteLength.max} {...form.getInputProps('note')} />
      <Switch label={t('Enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormPage>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<LimitForm>;
}

/** Clears the amount when the unit changes. */
function chooseMeasure(form: UseFormReturnType<LimitForm>, measure: LimitMeasure): void {
  const isSameUnit = limitMeasures[measure].counts === limitMeasures[form.values.measure].counts;
  form.setValues({ measure, ...(!isSameUnit && { amount: '' }) });
}

/** Allowed amount, and how it is counted. */
function AllowanceFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const { measure, amount } = form.values;
  const countings = {
    all: t('Combined'),
    user: t('Separately for each user'),
    token: t('Separately for each token'),
    tag: t('Separately for each value of the tag'),
  };
  return (
    <>
      <NativeSelect
        label={t('Limit type')}
        data={limitMeasureNames.map((name) => ({ value: name, label: t(limitMeasures[name].label) }))}
        {...form.getInputProps('measure')}
        onChange={({ currentTarget }) => chooseMeasure(form, currentTarget.value as LimitMeasure)}
      />
      {limitMeasures[measure].counts === 'points' ? (
        <MoneyInput label={t('Limit')} required {...form.getInputProps('amount')} value={amount} />
      ) : (
        <NumberInput
          label={t('Limit')}
          required
          min={1}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('amount')}
        />
      )}
      {isCountedMeasure(measure) && (
        <NativeSelect
          label={t('Counting')}
          description={t('Which requests count towards the same limit.')}
          data={limitCountScopes.map((counting) => ({ value: counting, label: countings[counting] }))}
          {...form.getInputProps('counts_per')}
        />
      )}
    </>
  );
}

/** Requests to which the limit applies; empty fields match any. */
function ScopeFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const any = t('Any');
  return (
    <>
      <div>
        <Title order={2} size="h4">
          {t('Applies to')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('Leave a field empty to match anything. All filled fields must match.')}
        </Text>
      </div>
      <NameField
        source="group"
        label={t('Group')}
        placeholder={any}
        {...form.getInputProps('group')}
        value={form.values.group}
      />
      <NameField
        source="model"
        label={t('Model')}
        description={t('Model name or pattern. gpt-5* matches every model with this prefix.')}
        placeholder={any}
        maxLength={limitModelLength.max}
        {...form.getInputProps('model')}
        value={form.values.model}
      />
      <TextInput
        label={t('Request tag')}
        description={t(
          'For example team=search, or team=* for any value. Keys must be listed in the setting Request tag keys.',
        )}
        placeholder={any}
        maxLength={maxTagLength}
        spellCheck={false}
        {...form.getInputProps('tag')}
      />
      <SubjectSelect
        source="user"
        label={t('User')}
        placeholder={any}
        {...form.getInputProps('user_id')}
        value={form.values.user_id}
      />
      <SubjectSelect
        source="token"
        label={t('Token')}
        placeholder={any}
        {...form.getInputProps('token_id')}
        value={form.values.token_id}
      />
      <SubjectSelect
        source="channel"
        label={t('Channel')}
        description={t('Requests are not rejected while another channel is available.')}
        placeholder={any}
        {...form.getInputProps('channel_id')}
        value={form.values.channel_id}
      />
    </>
  );
}
