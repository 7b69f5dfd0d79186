import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { NamesField } from '../subject/name-field.tsx';
import { SubjectMultiSelect } from '../subject/subject-select.tsx';
import { type Binding, useBinding } from './token-binding.ts';

interface TokenBindingDialogProps {
  readonly userId: number;
  readonly token: { readonly id: number; readonly name: string };
  readonly binding: Binding;
  readonly onClosed: () => void;
}

const maxEntries = 100;

/** Binds a token to channels, by name or tag, or to all channels of its groups. */
export function TokenBindingDialog({ userId, token, binding, onClosed }: TokenBindingDialogProps) {
  const { t } = useTranslation();
  const [channels, setChannels] = useState(binding.channels);
  const [tags, setTags] = useState(binding.tags);
  const save = useBinding(userId, token.id);
  return (
    <FormDialog
      title={t('Channels for {name}', { name: token.name })}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={() => save.mutate({ channels, tags })}
      onClosed={onClosed}
    >
      <Text size="sm">
        {t(
          'Requests with this token use only these channels. The owner can see that the token is restricted, but not to which channels.',
        )}
      </Text>
      <SubjectMultiSelect
        source="channel"
        label={t('Channels')}
        description={t('Leave both empty to allow all.')}
        value={channels}
        max={maxEntries}
        onChange={setChannels}
      />
      <NamesField
        source="tag"
        label={t('Channel tags')}
        description={t('Includes every channel with any of these tags.')}
        value={tags}
        max={maxEntries}
        onChange={setTags}
      />
    </FormDialog>
  );
}
