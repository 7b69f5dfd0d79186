import { isModelPattern, isPattern, type ModelAlias } from '@headgate/contract';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/messages.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { NameField } from '../../ui/subject/name-field.tsx';
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
    },
  });
  return (
    <FormDialog
      title={alias ? t('Edit name') : t('Add name')}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
    >
      <TextInput
        label={t('Name that is asked for')}
        description={t('May have one star, as in openai/*')}
        autoComplete="off"
        required
        {...form.getInputProps('pattern')}
      />
      <NameField
        source="model"
        label={t('Model that serves')}
        description={t('A star here stands for what the star above stood for')}
        required
        {...form.getInputProps('model')}
        value={form.values.model}
      />
    </FormDialog>
  );
}
