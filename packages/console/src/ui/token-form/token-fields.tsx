import { type Token, tokenNameLength } from '@headgate/contract';
import { Alert, MultiSelect, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { availableModelsQuery } from '../../lib/page/available-models.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ExpiryInput } from '../expiry-input.tsx';
import { FormSection } from '../form/form-section.tsx';
import { MoneyInput } from '../form/money-input.tsx';
import { useQuotaValidation } from '../form/validate-quota.ts';
import { lockReason } from '../token-status.tsx';
import { formOf, newToken, parseExpiry, type TokenForm } from './token-form.ts';
import { TokenScopeFields } from './token-scope-fields.tsx';

interface TokenFieldsProps {
  readonly form: UseFormReturnType<TokenForm>;
  readonly token: Token | undefined;
  /** Fields for limits and budgets. */
  readonly limits: ReactNode;
  /** Fields after the name. */
  readonly owner?: ReactNode;
  /** Fields at the end. */
  readonly children?: ReactNode;
}

/** Fields of a token, of a user or an organization. */
export function TokenFields({ form, token, limits, owner, children }: TokenFieldsProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  return (
    <>
      {token?.is_locked && <Alert color="red">{lockReason(t, token)}</Alert>}
      <FormSection title={t('General')}>
        <TextInput
          label={t('Name')}
          required
          maxLength={tokenNameLength.max}
          autoFocus
          {...form.getInputProps('name')}
        />
        {owner}
        <MoneyInput
          label={t('Remaining quota')}
          withAdditions
          disabled={form.values.unlimited_quota}
          {...form.getInputProps('remain_quota')}
          value={form.values.remain_quota}
        />
        <Switch
          label={t('Unlimited quota')}
          description={t('Limits only this token. The account balance still applies.')}
          {...form.getInputProps('unlimited_quota', { type: 'checkbox' })}
        />
      </FormSection>
      {limits}
      <FormSection title={t('Access')}>
        <ExpiryInput {...form.getInputProps('expiry')} value={form.values.expiry} />
        <AllowedModels value={form.values.models} onChange={(value) => form.setFieldValue('models', value)} />
        <TextInput
          label={t('Allowed networks')}
          description={t('IP addresses or CIDR ranges, separated by commas. Leave empty to allow all.')}
          placeholder="192.168.0.0/24, 2001:db8::/32"
          {...form.getInputProps('subnet')}
        />
        {extensions && <TokenScopeFields form={form} token={token} />}
        {children}
      </FormSection>
    </>
  );
}

interface AllowedModelsProps {
  readonly value: readonly string[];
  readonly onChange: (models: string[]) => void;
}

function AllowedModels({ value, onChange }: AllowedModelsProps) {
  const { t } = useTranslation();
  const { data: models = [] } = useQuery(availableModelsQuery);
  return (
    <MultiSelect
      label={t('Allowed models')}
      description={t('Leave empty to allow all models.')}
      searchable
      clearable
      limit={100}
      data={[...new Set([...models, ...value])]}
      value={[...value]}
      onChange={onChange}
    />
  );
}

export function useTokenForm(token: Token | undefined) {
  const { t } = useTranslation();
  const mistakeOfQuota = useQuotaValidation();
  return useForm<TokenForm>({
    initialValues: token ? formOf(token) : newToken,
    validate: {
      name: (name) => (name.trim() === '' ? t('Enter a name') : null),
      remain_quota: (quota, { unlimited_quota }) => (unlimited_quota ? null : mistakeOfQuota(quota)),
      expiry: (expiry) => (parseExpiry(expiry) === undefined ? t('Expiry time format error') : null),
    },
  });
}
