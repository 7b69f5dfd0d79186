import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { money } from '../../lib/format.ts';
import { useStatus } from '../../lib/status.ts';

interface QuotaInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

const wholePoints = (typed: number | string): number | '' => {
  const points = typeof typed === 'number' ? Math.trunc(typed) : Number.parseInt(typed, 10);
  return Number.isNaN(points) ? '' : points;
};

/** Whole points, with what they are worth as one types; what is typed behind a dot is dropped on leaving. */
export function QuotaInput({ value, onChange, ...props }: QuotaInputProps) {
  const { t } = useWords();
  const { quota_per_unit } = useStatus();
  const [typed, setTyped] = useState<number | string>(value);
  const worth = value === '' ? undefined : money(value / quota_per_unit);
  return (
    <NumberInput
      min={0}
      allowNegative={false}
      thousandSeparator=","
      max={1_000_000_000_000_000}
      description={worth === undefined ? t('Points of quota') : t('Worth {amount}', { amount: worth })}
      {...props}
      // A dot must not make ten times as much: it stays visible until the field is left.
      value={wholePoints(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(wholePoints(next));
      }}
      onBlur={(event) => {
        setTyped(value);
        props.onBlur?.(event);
      }}
    />
  );
}
