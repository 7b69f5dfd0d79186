import { limitMeasures, maxLimitAmount, type Policy, policyMeasures } from '@headgate/contract';
import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { LimitSubject } from '../effective-limits/effective-limits.ts';
import { FormSection } from '../form/form-section.tsx';
import { MoneyInput } from '../form/money-input.tsx';
import { useQuotaValidation } from '../form/validate-quota.ts';
import { emptyPolicy, type PolicyForm, policyChangeOf, policyOf, type StoredPolicy } from './policy.ts';

interface PolicyFormPart {
  readonly fields: ReactNode;
  readonly isDirty: boolean;
  /** Validates and marks invalid fields. Returns false if there are any. */
  readonly validate: () => boolean;
  /** Edited limits for the request body; undefined if there are none. */
  readonly change: () => Policy | undefined;
}

interface PolicyProps {
  /** Undefined for a new token or user. */
  readonly subject: LimitSubject | undefined;
  readonly stored: StoredPolicy | undefined;
  /** True if the signed-in user may set rate limits of the subject. */
  readonly canLimitRates: boolean;
}

/** Limits and budgets of a token or user as part of its form; saved with it in one call. */
export function usePolicy({ subject, stored, canLimitRates }: PolicyProps): PolicyFormPart {
  const [before] = useState(() => (subject && stored ? policyOf(stored, subject) : emptyPolicy));
  const mistakeOfQuota = useQuotaValidation({ isPositive: true });
  const optional = (amount: number | '') => (amount === '' ? null : mistakeOfQuota(amount));
  const form = useForm<PolicyForm>({ initialValues: before, validate: { day: optional, month: optional } });
  return {
    fields: <PolicyFields form={form} canLimitRates={canLimitRates} />,
    isDirty: form.isDirty(),
    validate: () => !form.validate().hasErrors,
    change: () => policyChangeOf(before, form.getValues()),
  };
}

interface PolicyFieldsProps {
  readonly form: UseFormReturnType<PolicyForm>;
  readonly canLimitRates: boolean;
}

function PolicyFields({ form, canLimitRates }: PolicyFieldsProps) {
  const { t, label } = useTranslation();
  return (
    <FormSection title={t('Limits')}>
      <Text size="sm" c="dimmed">
        {t('Leave a field empty for no limit.')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyInput
          label={t('Spend per day')}
          placeholder={t('No limit')}
          {...form.getInputProps('day')}
          value={form.values.day}
        />
        <MoneyInput
          label={t('Spend per month')}
          placeholder={t('No limit')}
          {...form.getInputProps('month')}
          value={form.values.month}
        />
        {canLimitRates &&
          policyMeasures.map((measure) => (
            <NumberInput
              key={measure}
              label={label(limitMeasures[measure].label)}
              placeholder={t('No limit')}
              min={1}
              max={maxLimitAmount}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              thousandSeparator=","
              {...form.getInputProps(measure)}
            />
          ))}
      </SimpleGrid>
    </FormSection>
  );
}
