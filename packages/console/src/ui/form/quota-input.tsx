import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useWords } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/status.ts';

interface QuotaInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

/** Whole points, with what they are worth as one types. */
export function QuotaInput({ value, onChange, ...props }: QuotaInputProps) {
  const { t } = useWords();
  const { quota_per_unit } = useStatus();
  const worth = value === '' ? undefined : (value / quota_per_unit).toFixed(2);
  return (
    <NumberInput
      min={0}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      max={1_000_000_000_000_000}
      description={worth === undefined ? t('Points of quota') : t('Worth {amount}', { amount: `$${worth}` })}
      {...props}
      value={value}
      onChange={(next) => onChange(typeof next === 'number' ? next : next === '' ? '' : Number.parseInt(next, 10))}
    />
  );
}
