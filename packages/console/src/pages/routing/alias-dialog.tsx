import { isModelPattern, isPattern, type ModelAlias } from '@headgate/contract';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/messages.ts';
import { type AliasBody, saveAlias } from './routing-queries.ts';

interface AliasDialogProps {
  /** Undefined: a new one. */
  readonly alias: ModelAlias | undefined;
  /** When it is out of sight. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

export function AliasDialog({ alias, onClosed, onSaved }: AliasDialogProps) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(true);
  const form = useForm<AliasBody>({
    initialValues: { pattern: alias?.pattern ?? '', model: alias?.model ?? '' },
    validate: {
      pattern: (pattern) => mistakeIn(pattern),
      model: (model, { pattern }) =>
        mistakeIn(model) ??
        (isPattern(model) && !isPattern(pattern) ? t('The name has no star it could stand for') : null),
    },
  });
  const mistakeIn = (text: string): string | null => {
    if (text.trim() === '') return t('Please enter a name');
    return isModelPattern(text) ? null : t('At most one star');
  };
  const save = useMutation({
    mutationFn: (body: AliasBody) => saveAlias(alias?.id, body),
    onSuccess: () => {
      showMessage('success', t('Name saved'));
      onSaved();
      setOpen(false);
    },
  });
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClosed}
      title={alias ? t('Edit name') : t('Add name')}
    >
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          <TextInput
            label={t('Name that is asked for')}
            description={t('May have one star, as in openai/*')}
            autoComplete="off"
            required
            {...form.getInputProps('pattern')}
          />
          <TextInput
            label={t('Model that serves')}
            description={t('A star here stands for what the star above stood for')}
            autoComplete="off"
            required
            {...form.getInputProps('model')}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setOpen(false)}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
