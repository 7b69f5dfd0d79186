import {
  formatLogSubject,
  maxRedemptionUses,
  type Redemption,
  redemptionApi,
  redemptionNameLength,
  redemptionStatus,
} from '@headgate/contract';
import { Alert, Anchor, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { downloadText } from '../../lib/api/download.ts';
import { formatTime } from '../../lib/format/format.ts';
import { lastListSearch } from '../../lib/list/list-state.ts';
import { query } from '../../lib/page/address.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useEditMode, useStatus } from '../../lib/page/status.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { ExpiryInput } from '../../ui/expiry-input.tsx';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useQuotaValidation } from '../../ui/form/validate-quota.ts';
import { plansQuery } from '../../ui/plan/plans-query.ts';
import { type CreatedCodes, NewCodesDialog } from './new-codes-dialog.tsx';
import {
  bodyOf,
  changeOf,
  codeFile,
  creationOf,
  formOf,
  newRedemption,
  parseExpiry,
  type RedemptionForm,
} from './redemption-form.ts';
import { createRedemptions, redemptionList, updateRedemption } from './redemption-queries.ts';
import { usePlanName } from './redemption-value.tsx';

export function RedemptionAddPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [made, setMade] = useState<CreatedCodes>();
  const create = useMutation({
    mutationFn: (form: RedemptionForm) => createRedemptions(creationOf(form)),
    onSuccess: async (codes, form) => {
      const { name, quota = 0 } = bodyOf(form);
      const file = codeFile(name, codes);
      downloadText(file.name, file.text);
      setMade({ codes, quota, plan_id: Number(form.plan), file });
      showMessage('success', t('Redemption created'));
      await queries.invalidateQueries({ queryKey: [redemptionList] });
    },
  });
  return (
    <>
      <RedemptionFields
        code={undefined}
        isSaving={create.isPending}
        isDone={made !== undefined}
        onSave={(form) => create.mutate(form)}
      />
      <NewCodesDialog made={made} onClose={() => void navigate({ to: '/redemption' })} />
    </>
  );
}

const historyOf = ({ id }: Redemption) => ({ about: formatLogSubject({ kind: 'redemption', id }) });

export function RedemptionEditPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  return (
    <EditResource
      endpoint={redemptionApi.get}
      input={{ params: { id: Number(id) } }}
      shown={formOf}
      history={historyOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit redemption code')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <EditedCode edit={edit} />}
    </EditResource>
  );
}

function EditedCode({ edit }: { readonly edit: Edit<Redemption> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const extent = useEditMode();
  const update = useMutation({
    mutationFn: (form: RedemptionForm) =>
      edit.save((options) => updateRedemption(changeOf(edit.thing, form, extent), options)),
    onSuccess: async () => {
      showMessage('success', t('Redemption updated'));
      await queries.invalidateQueries({ queryKey: [redemptionList] });
      await navigate({ to: '/redemption', search: query(lastListSearch(redemptionList)) });
    },
  });
  return <RedemptionFields code={edit.thing} isSaving={update.isPending} onSave={(form) => update.mutate(form)} />;
}

interface RedemptionFieldsProps {
  /** Undefined for new codes. */
  readonly code: Redemption | undefined;
  readonly isSaving: boolean;
  /** True once the codes are created: the input is no longer needed. */
  readonly isDone?: boolean;
  readonly onSave: (form: RedemptionForm) => void;
}

function RedemptionFields({ code, isSaving, isDone = false, onSave }: RedemptionFieldsProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const mistakeOfQuota = useQuotaValidation({ isPositive: true });
  const used = code?.use_count ?? 0;
  const form = useForm<RedemptionForm>({
    initialValues: code ? formOf(code) : newRedemption,
    validate: {
      name: (name) => (name.trim() === '' ? t('Enter a name') : null),
      quota: (quota, { plan }) => (plan === '' ? mistakeOfQuota(quota) : null),
      count: (count) => (count === '' || count < 1 ? t('Must be at least 1') : null),
      max_uses: (uses) => (uses === '' || uses <= used ? t('Must be at least {n}', { n: used + 1 }) : null),
      expiry: (expiry) => (parseExpiry(expiry) === undefined ? t('Expiry time format error') : null),
    },
  });
  const isUsed = code?.status === redemptionStatus.used;
  const look = { readOnly: isUsed, variant: isUsed ? 'filled' : 'default', required: !isUsed };
  const saveLabel = code ? t('Save code') : t('Create codes');
  return (
    <FormPage
      title={code ? t('Edit redemption code') : t('Add redemption codes')}
      name={code?.name}
      submitLabel={isUsed ? undefined : saveLabel}
      isSaving={isSaving}
      isDirty={form.isDirty() && !isDone}
      onSubmit={form.onSubmit(onSave, (errors) => focusFirstError(form, errors))}
      back={{ to: '/redemption', search: lastListSearch(redemptionList) }}
      history={code && extensions ? historyOf(code) : undefined}
    >
      {isUsed && <UsedNotice code={code} />}
      <TextInput
        label={t('Name')}
        maxLength={redemptionNameLength.max}
        autoFocus={!code}
        {...look}
        {...form.getInputProps('name')}
      />
      <WorthFields form={form} code={code} look={look} />
      {!code && (
        <NumberInput
          label={t('Count')}
          description={t('Number of codes to create.')}
          required
          min={1}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('count')}
        />
      )}
      {extensions && !isUsed && (
        <>
          <NumberInput
            label={t('Max uses')}
            description={t('Number of users who can redeem a code, once each.')}
            required
            min={1}
            max={maxRedemptionUses}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('max_uses')}
          />
          <ExpiryInput {...form.getInputProps('expiry')} value={form.values.expiry} />
        </>
      )}
    </FormPage>
  );
}

interface WorthFieldsProps {
  readonly form: UseFormReturnType<RedemptionForm>;
  readonly code: Redemption | undefined;
  readonly look: { readonly readOnly: boolean; readonly variant: string; readonly required: boolean };
}

/** Quota of a code, or its plan. */
function WorthFields({ form, code, look }: WorthFieldsProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { plan, quota } = form.values;
  return (
    <>
      {extensions && <PlanField isFixed={code !== undefined} {...form.getInputProps('plan')} value={plan} />}
      {plan === '' && (
        <MoneyInput label={t('Quota')} withAdditions {...look} {...form.getInputProps('quota')} value={quota} />
      )}
    </>
  );
}

interface PlanFieldProps {
  readonly isFixed: boolean;
  readonly value: string;
}

/** Plan instead of quota. Hidden while there are no plans. */
function PlanField({ isFixed, value, ...input }: PlanFieldProps) {
  const { t } = useTranslation();
  const { data: plans = [] } = useQuery(plansQuery);
  const name = usePlanName(Number(value));
  if (isFixed) return value === '' ? null : <TextInput label={t('Plan')} readOnly variant="filled" value={name} />;
  if (plans.length === 0) return null;
  return (
    <NativeSelect
      label={t('Plan')}
      description={t('The code grants this plan instead of quota.')}
      data={[{ value: '', label: t('None') }, ...plans.map((plan) => ({ value: String(plan.id), label: plan.name }))]}
      value={value}
      {...input}
    />
  );
}

/** Explains why a redeemed code is read-only. */
function UsedNotice({ code: { redeemed_time, redeemed_user_id } }: { readonly code: Redemption }) {
  const { t } = useTranslation();
  return (
    <Alert title={t('This code has been used')}>
      <Text>{t('It was redeemed at {time} and can no longer be changed.', { time: formatTime(redeemed_time) })}</Text>
      {redeemed_user_id > 0 && (
        <Anchor component={Link} to={`/user/edit/${redeemed_user_id}`} c="inherit" underline="always">
          {t('View user who redeemed it')}
        </Anchor>
      )}
    </Alert>
  );
}
