import { type OptionControl, type OptionKey, optionRow } from '@headgate/contract';
import { NumberInput, PasswordInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type ComponentType, memo } from 'react';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import type { FieldProps } from './field-props.ts';
import { RatioField } from './ratio-field.tsx';

const secretLabels = {
  stored: 'A value is stored and never shown. Enter a new one to replace it.',
  forgotten: 'Enter it again: the stored value is cleared when the address changes.',
  none: 'Not set',
} as const satisfies Record<string, TextKey>;

interface OptionFieldProps {
  readonly name: OptionKey;
  readonly text: string;
  /** True if a secret is stored, or will be cleared by saving. Its value is never returned. */
  readonly secretState: keyof typeof secretLabels;
  readonly error: string | undefined;
  readonly onChange: (name: OptionKey, text: string) => void;
}

function NumberField({ row, text, onChange, label, description, error }: FieldProps) {
  if (row.isQuota) {
    return (
      <MoneyInput
        label={label}
        description={description}
        error={error}
        placeholder={row.hint ?? ''}
        value={text === '' ? '' : Number(text)}
        onChange={(points) => onChange(String(points))}
      />
    );
  }
  return (
    <NumberInput
      label={label}
      description={description}
      error={error}
      placeholder={row.hint ?? ''}
      min={0}
      step={row.step ?? 1}
      allowDecimal={row.control === 'number'}
      allowNegative={false}
      value={text}
      onChange={(value) => onChange(String(value))}
    />
  );
}

const textField = ({ row, text, onChange, label, description, error }: FieldProps) => (
  <TextInput
    label={label}
    description={description}
    error={error}
    placeholder={row.hint ?? ''}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

const longTextField = ({ text, onChange, label, description, error }: FieldProps) => (
  <Textarea
    label={label}
    description={description}
    error={error}
    autosize
    minRows={3}
    maxRows={16}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

const secretField = ({ text, onChange, label, description, error }: FieldProps) => (
  <PasswordInput
    label={label}
    description={description}
    error={error}
    autoComplete="new-password"
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** Labels of the choices. */
const choiceLabels: Readonly<Record<string, TextKey>> = {
  default: 'Follow system',
  light: 'Light',
  dark: 'Dark',
  refuse: 'Reject requests',
  charge: 'Charge $60 per million tokens',
  off: 'Disabled',
  admins: 'Admins',
  owners: 'Admins and token owners',
  everything: 'Everything',
  personal: 'Personal',
  team: 'Team',
  reseller: 'Reseller',
};

function ChoiceField({ row, text, onChange, label, description, error }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={label}
      description={description}
      error={error}
      allowDeselect={false}
      data={(row.choices ?? []).map((value) => ({
        value,
        label: choiceLabels[value] ? t(choiceLabels[value]) : value,
      }))}
      value={text}
      onChange={(value) => onChange(value ?? text)}
    />
  );
}

function ListField({ text, onChange, label, description, error }: FieldProps) {
  const { t } = useTranslation();
  return (
    <TagsInput
      label={label}
      description={description ?? t('Press Enter to add')}
      error={error}
      splitChars={[',', ' ', ';', '\n']}
      value={text.split(',').filter((part) => part !== '')}
      onChange={(items) => onChange(items.join(','))}
    />
  );
}

const controls: Readonly<Record<Exclude<OptionControl, 'toggle'>, ComponentType<FieldProps>>> = {
  integer: NumberField,
  number: NumberField,
  text: textField,
  address: textField,
  'long-text': longTextField,
  secret: secretField,
  choice: ChoiceField,
  list: ListField,
  ratios: RatioField,
};

/** Field of an option, rendered from its row in the contract. */
export const OptionField = memo(function OptionField({ name, text, secretState, error, onChange }: OptionFieldProps) {
  const { t, label } = useTranslation();
  const row = optionRow(name);
  const Field = controls[row.control as keyof typeof controls];
  const help = row.control === 'secret' ? t(secretLabels[secretState]) : row.help && label(row.help);
  return (
    <Field
      name={name}
      row={row}
      label={label(row.label)}
      description={help}
      error={error}
      text={text}
      onChange={(next) => onChange(name, next)}
    />
  );
});
