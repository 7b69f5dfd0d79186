import {
  type LimitRule,
  limitCountings,
  limitMeasureNames,
  limitMeasures,
  limitModelLength,
  limitNoteLength,
} from '@headgate/contract';
import { Autocomplete, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useWords } from '../../i18n/translate.ts';
import { lastSeen } from '../../lib/list-state.ts';
import { showMessage } from '../../lib/messages.ts';
import { focusFirstMistake } from '../../ui/form/focus-first-mistake.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { QuotaInput } from '../../ui/form/quota-input.tsx';
import { bodyOf, formOf, isCounted, type LimitForm, newLimit } from './limit-form.ts';
import { createLimit, groupNamesQuery, limitList, limitQuery, updateLimit } from './limit-queries.ts';

export function LimitAddPage() {
  return <LimitFields rule={undefined} />;
}

export function LimitEditPage() {
  const { t } = useWords();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery(limitQuery(Number(id)));
  if (!data) return <FormLoading title={t('Edit limit')} error={error} onRetry={() => void refetch()} />;
  return <LimitFields rule={data} />;
}

function useSave(rule: LimitRule | undefined) {
  const { t } = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: LimitForm): Promise<void> => {
      if (rule) await updateLimit(rule.id, bodyOf(form));
      else await createLimit(bodyOf(form));
    },
    onSuccess: async () => {
      showMessage('success', rule ? t('Limit updated') : t('Limit created'));
      await queries.invalidateQueries({ queryKey: [limitList] });
      await navigate({ to: '/limit', search: lastSeen(limitList) as never });
    },
  });
}

function LimitFields({ rule }: { readonly rule: LimitRule | undefined }) {
  const { t } = useWords();
  const save = useSave(rule);
  const form = useForm<LimitForm>({
    initialValues: rule ? formOf(rule) : newLimit,
    validate: { amount: (amount) => (amount === '' || amount < 1 ? t('Must be at least 1') : null) },
  });
  return (
    <FormPage
      title={rule ? t('Edit limit') : t('Add limit')}
      submitLabel={rule ? t('Save limit') : t('Create limit')}
      isSaving={save.isPending}
      isDirty={form.isDirty() && !save.isSuccess}
      onSubmit={form.onSubmit(
        (values) => save.mutate(values),
        (errors) => focusFirstMistake(form, errors),
      )}
      back={{ to: '/limit', search: lastSeen(limitList) }}
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

/** What is allowed, and counted together. */
function AllowanceFields({ form }: FieldsProps) {
  const { t } = useWords();
  const { measure, amount } = form.values;
  const countings = { all: t('All together'), user: t('Each user for itself'), token: t('Each token for itself') };
  return (
    <>
      <NativeSelect
        label={t('What is limited')}
        data={limitMeasureNames.map((name) => ({ value: name, label: t(limitMeasures[name].label) }))}
        {...form.getInputProps('measure')}
      />
      {isCounted(measure) ? (
        <>
          <NumberInput
            label={t('At most')}
            required
            min={1}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            {...form.getInputProps('amount')}
          />
          <NativeSelect
            label={t('Counted')}
            data={limitCountings.map((counting) => ({ value: counting, label: countings[counting] }))}
            {...form.getInputProps('counts_per')}
          />
        </>
      ) : (
        <QuotaInput label={t('At most')} required {...form.getInputProps('amount')} value={amount} />
      )}
    </>
  );
}

/** Whose requests it is about; what is left empty stands for any. */
function ScopeFields({ form }: FieldsProps) {
  const { t } = useWords();
  const { data: groups = [] } = useQuery(groupNamesQuery);
  const id = { min: 1, allowDecimal: false, allowNegative: false, hideControls: true, placeholder: t('Any') } as const;
  return (
    <>
      <Autocomplete label={t('Group')} placeholder={t('Any')} data={[...groups]} {...form.getInputProps('group')} />
      <TextInput
        label={t('Model')}
        description={t('A name, or a pattern: gpt-5* is every model that begins so')}
        placeholder={t('Any')}
        maxLength={limitModelLength.max}
        {...form.getInputProps('model')}
      />
      <NumberInput label={t('User ID')} {...id} {...form.getInputProps('user_id')} />
      <NumberInput label={t('Token ID')} {...id} {...form.getInputProps('token_id')} />
      <NumberInput
        label={t('Channel ID')}
        description={t('Requests go to another channel while one can serve them')}
        {...id}
        {...form.getInputProps('channel_id')}
      />
    </>
  );
}
