import { type ChannelField, channelType } from '@headgate/contract';
import { Alert, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './channel.module.css';
import { type ChannelForm, configName, type OpenedChannel, requiresKeyReentry } from './channel-form.ts';

interface ChannelTypeFieldsProps {
  readonly form: UseFormReturnType<ChannelForm>;
  readonly opened: OpenedChannel;
}

/** Fields of this type besides its key, from its row in the contract. */
export function ChannelTypeFields({ form, opened }: ChannelTypeFieldsProps) {
  const { label } = useTranslation();
  const type = channelType(form.values.type);
  const isStored = (field: ChannelField) =>
    form.values.type === opened.form.type &&
    !requiresKeyReentry(form.values, opened) &&
    opened.storedSecrets.includes(configName(field));
  return (
    <>
      {type?.note && (
        <Alert variant="light" py="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
          {label(type.note)}
        </Alert>
      )}
      {type?.fields?.map((field) => (
        <TypeField key={field.place} field={field} form={form} isStored={isStored(field)} />
      ))}
    </>
  );
}

interface TypeFieldProps {
  readonly field: ChannelField;
  readonly form: UseFormReturnType<ChannelForm>;
  /** True if a secret is stored; left blank, it is kept. */
  readonly isStored: boolean;
}

function TypeField({ field, form, isStored }: TypeFieldProps) {
  const { t, label } = useTranslation();
  const { placeholder, required = false, usual, secret, multiline } = field;
  const advice = usual && t('Required by most channels of this type.');
  const shared = {
    ...form.getInputProps(field.place),
    label: label(field.label),
    placeholder: placeholder ? label(placeholder) : '',
    withAsterisk: required && !isStored,
    description: isStored ? t('A value is stored. Leave empty to keep it.') : advice,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (multiline)
    return <Textarea {...shared} autosize minRows={4} maxRows={12} classNames={{ input: styles['mono'] ?? '' }} />;
  if (secret) return <PasswordInput {...shared} autoComplete="new-password" />;
  return <TextInput {...shared} />;
}
