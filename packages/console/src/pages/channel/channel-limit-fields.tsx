import { channelLimits } from '@headgate/contract';
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useWords } from '../../i18n/translate.ts';
import { FormSection } from '../../ui/form/form-section.tsx';
import type { ChannelForm } from './channel-form.ts';

interface ChannelLimitFieldsProps {
  readonly form: UseFormReturnType<ChannelForm>;
}

/** The limits that a channel of any type may have of its own. */
export function ChannelLimitFields({ form }: ChannelLimitFieldsProps) {
  const { t, label } = useWords();
  return (
    <FormSection title={t('Advanced')}>
      {channelLimits.map((limit) => (
        <TextInput
          key={limit.place}
          {...form.getInputProps(limit.place)}
          label={label(limit.label)}
          description={t('Leave empty to use the limit of the settings')}
          inputMode="numeric"
          autoComplete="off"
        />
      ))}
    </FormSection>
  );
}
