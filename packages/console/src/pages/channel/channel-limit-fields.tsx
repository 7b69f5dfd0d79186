import { channelTimeouts } from '@headgate/contract';
import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from '../../i18n/translate.ts';
import { FormSection } from '../../ui/form/form-section.tsx';
import type { ChannelForm } from './channel-form.ts';

interface ChannelLimitFieldsProps {
  readonly form: UseFormReturnType<ChannelForm>;
}

/** Limits available for channels of any type. */
export function ChannelLimitFields({ form }: ChannelLimitFieldsProps) {
  const { t, label } = useTranslation();
  return (
    <FormSection title={t('Advanced')}>
      {channelTimeouts.map((limit) => (
        <TextInput
          key={limit.place}
          {...form.getInputProps(limit.place)}
          label={label(limit.label)}
          description={t('Leave empty to use the system setting.')}
          inputMode="numeric"
          autoComplete="off"
        />
      ))}
      <TextInput
        {...form.getInputProps('purchase_multiplier')}
        label={t('Cost multiplier')}
        description={t(
          'Your purchase price as a multiple of the list price, used for margins. Leave empty for the list price.',
        )}
        placeholder="1"
        inputMode="decimal"
        autoComplete="off"
      />
      <Textarea
        {...form.getInputProps('purchase_models')}
        label={t('Per-model cost overrides')}
        description={t(
          'One model or pattern per line with USD per million tokens (input, output, cached input, cache write), +USD per request, or ×multiple of the list price.',
        )}
        placeholder={'gpt-5 1.1 8.8 0.11\nclaude-* ×0.6'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
      />
    </FormSection>
  );
}
