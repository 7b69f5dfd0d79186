import { channelType } from '@headgate/contract';
import { PasswordInput, SegmentedControl, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ClipboardEvent } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './channel.module.css';
import { batchKeys, type ChannelForm, type OpenedChannel, requiresKeyReentry } from './channel-form.ts';

interface ChannelKeyFieldProps {
  readonly form: UseFormReturnType<ChannelForm>;
  readonly opened: OpenedChannel;
}

/**
 * Write-only key field; a multi-line field for new channels. Types with a multi-part key show one field per part
 * instead.
 */
export function ChannelKeyField({ form, opened }: ChannelKeyFieldProps) {
  const { t } = useTranslation();
  const kept = useStoredKeyHint(form.values, opened);
  const isNew = opened.id === undefined;
  const isKept = !isNew && !requiresKeyReentry(form.values, opened);
  const { type: typeId, isBatch, isShared } = form.values;
  const type = channelType(typeId);
  if (type?.keyParts) return null;
  const shared = {
    ...form.getInputProps('key'),
    label: isBatch ? t('Keys') : t('Key'),
    placeholder: type?.keyHint ?? t('Provider API key'),
    withAsterisk: !isKept,
    autoComplete: 'new-password',
    spellCheck: false,
  };
  const format = type?.keyHint && t('Format: {form}', { form: type.keyHint });
  // A single-line field would join pasted lines.
  const pasteLines = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (!isNew || batchKeys(text).length < 2) return;
    event.preventDefault();
    form.setValues({ isBatch: true, key: batchKeys(text).join('\n') });
  };
  return (
    <>
      {isNew && <KeyCount form={form} />}
      {isBatch ? (
        <Textarea
          {...shared}
          description={[
            isShared
              ? t('One key per line. The channel rotates between them.')
              : t('One key per line. Each becomes a channel with a numbered name.'),
            format,
          ]
            .filter(Boolean)
            .join('. ')}
          autosize
          minRows={5}
          maxRows={15}
          classNames={{ input: styles['mono'] ?? '' }}
        />
      ) : (
        <PasswordInput
          {...shared}
          description={[kept, format].filter(Boolean).join('. ') || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('Show key') }}
          onPaste={pasteLines}
        />
      )}
    </>
  );
}

/** How many keys the form takes, and what becomes of them. */
function KeyCount({ form }: Pick<ChannelKeyFieldProps, 'form'>) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const isPhone = useIsPhone();
  const { isBatch, isShared } = form.values;
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      orientation={isPhone ? 'vertical' : 'horizontal'}
      aria-label={t('Number of keys')}
      value={isBatch ? (isShared ? 'shared' : 'channels') : 'one'}
      data={[
        { value: 'one', label: t('One key') },
        ...(extensions ? [{ value: 'shared', label: t('Several keys for one channel') }] : []),
        { value: 'channels', label: t('A channel for each key') },
      ]}
      onChange={(value) => form.setValues({ isBatch: value !== 'one', isShared: value === 'shared' })}
    />
  );
}

/** Hint about the stored key; none for a new channel. */
function useStoredKeyHint(form: ChannelForm, opened: OpenedChannel): string | undefined {
  const { t } = useTranslation();
  const { id, keyCount } = opened;
  if (id === undefined) return undefined;
  if (requiresKeyReentry(form, opened))
    return t('Enter the key again: the stored key is not sent to a different address.');
  if (keyCount === 0) return t('A key is stored. Leave empty to keep it.');
  return t('{count} keys are stored. Leave empty to keep them; a key entered here replaces all of them.', {
    count: keyCount,
  });
}
