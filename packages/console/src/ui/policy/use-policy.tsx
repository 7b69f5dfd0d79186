import { limitMeasures, maxLimitAmount } from '@headgate/contract';
import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { LimitSubject } from '../effective-limits/effective-limits.ts';
import { effectiveLimitsKey } from '../effective-limits/effective-limits-queries.ts';
import { FormSection } from '../form/form-section.tsx';
import { MoneyInput } from '../form/money-input.tsx';
import { useQuotaValidation } from '../form/validate-quota.ts';
import { emptyPolicy, type PolicyForm, policyMeasures, policyOf, type StoredPolicy } from './policy.ts';
import { savePolicy, UnsavedLimitsError } from './save-policy.ts';

interface Policy {
  readonly fields: ReactNode;
  readonly isDirty: boolean;
  /** Marks invalid fields. False if there are any. */
  readonly validate: () => boolean;
  /** Saves the edited fields for this subject. */
  readonly save: (subject: LimitSubject) => Promise<void>;
}

interface PolicyProps {
  /** Undefined for a new token or user. */
  readonly subject: LimitSubject | undefined;
  readonly stored: StoredPolicy | undefined;
  /** True if the signed-in user may set rate limits of the subject. */
  readonly canLimitRates: boolean;
  readonly read: () => Promise<StoredPolicy>;
}

/** Limits and budgets of a token or user as part of its form. */
export function usePolicy({ subject, stored, canLimitRates, read }: PolicyProps): Policy {
  const queries = useQueryClient();
  const [before] = useState(() => (subject && stored ? policyOf(stored, subject) : emptyPolicy));
  const mistakeOfQuota = useQuotaValidation({ isPositive: true });
  const optional = (amount: number | '') => (amount === '' ? null : mistakeOfQuota(amount));
  const form = useForm<PolicyForm>({ initialValues: before, validate: { day: optional, month: optional } });
  return {
    fields: <PolicyFields form={form} canLimitRates={canLimitRates} />,
    isDirty: form.isDirty(),
    validate: () => !form.validate().hasErrors,
    save: async (on) => {
      try {
        await savePolicy({ subject: on, before, after: form.getValues(), read });
      } catch (cause) {
        throw new UnsavedLimitsError('Limits not saved', { cause });
      } finally {
        void queries.invalidateQueries({ queryKey: [effectiveLimitsKey] });
      }
    },
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
      <Text size="sm" c="dimmed" mt={-12}>
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
