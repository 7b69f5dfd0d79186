import { Button, Group, Stack, Text, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import {
  formatMoneyInput,
  formatUnambiguous,
  type MoneyError,
  type MoneyUnit,
  maxPoints,
  parseMoney,
} from './money-text.ts';

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Whole points; NaN if the input is not a number. */
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
  /** Shows buttons that add amounts, for balance fields. */
  readonly withAdditions?: boolean;
}

const additions = [1, 10, 100];

/** The gateway's display unit, in which amounts are entered. */
const useMoneyUnit = (): MoneyUnit => (useStatus().display_in_currency ? 'dollars' : 'points');

/** Amount input in the gateway's display unit, with the converted value below. */
export function MoneyInput({ value, onChange, label, error, description, withAdditions, ...props }: MoneyInputProps) {
  const { t } = useTranslation();
  const field = useMoneyText(value, onChange);
  const wrong = useErrorText(field.mistake, field.text);
  const converted = useConvertedValue(value, field.unit);
  const isFixed = props.readOnly || props.disabled;
  const input = (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      label={
        <>
          {label}
          <VisuallyHidden> ({field.unit === 'dollars' ? t('US dollars') : t('points')})</VisuallyHidden>
        </>
      }
      // The error replaces the converted value, because an additional line would move the fields below.
      description={
        wrong ? (
          <Text span inherit {...(!field.isTyping && { c: 'var(--mantine-color-error)' })}>
            {wrong}
          </Text>
        ) : (
          [converted, description].filter(Boolean).join(' · ')
        )
      }
      error={wrong ? !field.isTyping || Boolean(error) : error}
      value={field.text}
      {...sectionOf(field.unit, field.text, t('points'))}
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
  );
  if (!withAdditions || isFixed) return input;
  return (
    <Stack gap={8}>
      {input}
      <Additions value={value} onAdd={field.set} />
    </Stack>
  );
}

/** The unit inside the field. */
function sectionOf(unit: MoneyUnit, text: string, points: string) {
  if (unit === 'points') return { rightSection: <Text {...unitLook}>{points}</Text>, rightSectionWidth: 64 };
  return text.includes('$') ? {} : { leftSection: <Text {...unitLook}>$</Text>, leftSectionWidth: 28 };
}

const unitLook = { span: true, size: 'sm', c: 'dimmed', 'aria-hidden': true } as const;

interface AdditionsProps {
  readonly value: number | '';
  readonly onAdd: (points: number) => void;
}

function Additions({ value, onAdd }: AdditionsProps) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const add = (dollars: number) => onAdd(Math.min((value || 0) + Math.round(dollars * quota_per_unit), maxPoints));
  return (
    <Group gap={6}>
      {additions.map((dollars) => (
        <Button key={dollars} size="compact-sm" variant="default" onClick={() => add(dollars)}>
          {t('Add {amount}', { amount: `$${formatNumber(dollars)}` })}
        </Button>
      ))}
    </Group>
  );
}

/** Text of the field: the user's input, or the points in the unit of the field. */
function useMoneyText(value: number | '', onChange: (value: number | '') => void) {
  const { quota_per_unit } = useStatus();
  const unit = useMoneyUnit();
  const [typed, setTyped] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const read = typed === undefined ? undefined : parseMoney(typed, unit, quota_per_unit);
  // False if the value was changed from outside the field.
  const isCurrent = read !== undefined && Object.is(read.points, value);
  return {
    unit: isCurrent ? read.unit : unit,
    text: isCurrent && typed !== undefined ? typed : formatMoneyInput(value, unit, quota_per_unit),
    mistake: isCurrent ? read.mistake : undefined,
    isTyping,
    type: (text: string) => {
      setTyped(text);
      onChange(parseMoney(text, unit, quota_per_unit).points);
    },
    set: (points: number) => {
      setTyped(undefined);
      onChange(points);
    },
    begin: () => setTyping(true),
    // Valid input is reformatted; invalid input stays for correction.
    end: () => {
      setTyping(false);
      if (read && !read.mistake) setTyped(undefined);
    },
  };
}

function useConvertedValue(points: number | '', unit: MoneyUnit): string {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  if (points === '' || Number.isNaN(points))
    return unit === 'dollars' ? t('In US dollars') : t('In points, or in dollars with a $');
  return unit === 'dollars'
    ? t('= {points} points', { points: formatNumber(points) })
    : t('= {amount}', { amount: `$${formatMoneyInput(points, 'dollars', quota_per_unit)}` });
}

function useErrorText(mistake: MoneyError | undefined, text: string): string | undefined {
  const { t } = useTranslation();
  if (!mistake) return undefined;
  if (mistake.kind === 'too much') return t('“{text}” exceeds the maximum quota', { text });
  if (mistake.kind === 'too little') return t('“{text}” is less than one point. Enter a larger amount.', { text });
  if (mistake.kind === 'unreadable')
    return t('“{text}” is not a number. Enter an amount such as 1500 or 2.5.', { text });
  const { small, large } = mistake;
  return t('“{text}” could mean {small} or {large}. Enter {small} or {plain}.', {
    text,
    small: formatUnambiguous(small),
    large: formatNumber(large),
    plain: String(large),
  });
}
