import { type DestinationField, isSecretField } from '@headgate/contract';
import { PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';

/** Input of one setting of a destination. */
interface DestinationSettingInputProps {
  readonly row: DestinationField;
  readonly value: string;
  /** True if a secret is stored, which is kept if the field is left blank. */
  readonly isKept: boolean;
  readonly isMissing: boolean;
  readonly onChange: (value: string) => void;
}

export function DestinationSettingInput({ row, value, isKept, isMissing, onChange }: DestinationSettingInputProps) {
  const { t, label } = useTranslation();
  const Input = row.control === 'secret' ? PasswordInput : TextInput;
  const isHidden = isSecretField(row);
  return (
    <Input
      label={row.isOptional ? t('{label} (optional)', { label: label(row.label) }) : label(row.label)}
      description={row.help && label(row.help)}
      placeholder={isKept ? t('Saved. Enter a new value to replace it.') : (row.hint ?? '')}
      autoComplete="off"
      spellCheck={false}
      {...(isHidden && { 'data-1p-ignore': true })}
      value={value}
      error={isMissing && t('Please fill this in')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
