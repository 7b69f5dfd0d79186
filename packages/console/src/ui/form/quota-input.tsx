import { Button, Group, SegmentedControl, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './quota-input.module.css';
import { formatQuotaInput, maxPoints, parseQuota, type QuotaError, type QuotaUnit } from './quota-text.ts';

interface QuotaInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Whole points; NaN while the input is not a number. */
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

const additions = [1, 10, 100];

/** Quota input in points or dollars, with the converted value and buttons that add amounts. */
export function QuotaInput({ value, onChange, error, description, ...props }: QuotaInputProps) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const field = useQuotaText(value, onChange);
  const wrong = useErrorText(field.mistake, field.text);
  const worth = useConvertedValue(value, field.unit);
  const isFixed = props.readOnly || props.disabled;
  const add = (dollars: number) => field.set(Math.min((value || 0) + Math.round(dollars * quota_per_unit), maxPoints));
  return (
    <Stack gap={8}>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        {...props}
        // The error replaces the converted value, because an additional line would move the buttons.
        description={
          wrong ? (
            <Text span inherit {...(!field.isTyping && { c: 'var(--mantine-color-error)' })}>
              {wrong}
            </Text>
          ) : (
            [description, worth].filter(Boolean).join(' · ')
          )
        }
        error={wrong ? !field.isTyping || Boolean(error) : error}
        value={field.text}
        leftSection={field.unit === 'dollars' && !field.text.includes('$') ? '$' : undefined}
        rightSection={<UnitChoice value={field.unit} onChange={field.choose} isDisabled={Boolean(isFixed)} />}
        rightSectionWidth={120}
        onChange={(event) => field.type(event.currentTarget.value)}
        onFocus={(event) => {
          field.begin();
          props.onFocus?.(event);
        }}
        onBlur={(event: FocusEvent<HTMLInputElement>) => {
          field.end();
          props.onBlur?.(event);
        }}
      />
      {!isFixed && (
        <Group gap={6}>
          {additions.map((dollars) => (
            <Button key={dollars} size="compact-sm" variant="default" onClick={() => add(dollars)}>
              {t('Add {amount}', { amount: `$${formatNumber(dollars)}` })}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** Text of the field: the user's input, or the points in the selected unit. */
function useQuotaText(value: number | '', onChange: (value: number | '') => void) {
  const { quota_per_unit } = useStatus();
  const [unit, setUnit] = useState<QuotaUnit>('points');
  const [typed, setTyped] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const read = typed === undefined ? undefined : parseQuota(typed, unit, quota_per_unit);
  // False if the value was changed from outside.
  const isCurrent = read !== undefined && Object.is(read.points, value);
  return {
    unit: isCurrent ? read.unit : unit,
    text: isCurrent && typed !== undefined ? typed : formatQuotaInput(value, unit, quota_per_unit),
    mistake: isCurrent ? read.mistake : undefined,
    isTyping,
    type: (text: string) => {
      setTyped(text);
      onChange(parseQuota(text, unit, quota_per_unit).points);
    },
    set: (points: number) => {
      setTyped(undefined);
      onChange(points);
    },
    choose: (next: QuotaUnit) => {
      if (!read?.mistake) setTyped(undefined);
      setUnit(next);
    },
    begin: () => setTyping(true),
    // Valid input is reformatted; invalid input stays for correction.
    end: () => {
      setTyping(false);
      if (!read || read.mistake) return;
      setUnit(read.unit);
      setTyped(undefined);
    },
  };
}

function useConvertedValue(points: number | '', unit: QuotaUnit): string {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  if (points === '' || Number.isNaN(points)) return t('Enter points or dollars');
  return unit === 'points'
    ? t('Worth {amount}', { amount: formatMoney(points / quota_per_unit) })
    : t('{points} points', { points: formatNumber(points) });
}

function useErrorText(mistake: QuotaError | undefined, text: string): string | undefined {
  const { t } = useTranslation();
  if (!mistake) return undefined;
  if (mistake.kind === 'too much') return t('“{text}” exceeds the maximum quota', { text });
  if (mistake.kind === 'unreadable')
    return t('“{text}” is not a number. Enter an amount such as 1500 or 2.5.', { text });
  const { small, large } = mistake;
  return t('“{text}” could mean {small} or {large}. Enter {small} or {plain}.', {
    text,
    small: formatNumber(small),
    large: formatNumber(large),
    plain: String(large),
  });
}

interface UnitChoiceProps {
  readonly value: QuotaUnit;
  readonly onChange: (unit: QuotaUnit) => void;
  readonly isDisabled: boolean;
}

function UnitChoice({ value, onChange, isDisabled }: UnitChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Unit')}
      className={styles['unit'] ?? ''}
      disabled={isDisabled}
      data={[
        { value: 'points', label: t('points') },
        { value: 'dollars', label: '$' },
      ]}
      value={value}
      onChange={(unit) => onChange(unit === 'dollars' ? 'dollars' : 'points')}
    />
  );
}
