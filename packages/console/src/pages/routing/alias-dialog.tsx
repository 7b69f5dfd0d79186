import { isModelPattern, isPattern, type ModelAlias, routingApi } from '@headgate/contract';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { NameField } from '../../ui/subject/name-field.tsx';
import { type AliasBody, createAlias, updateAlias } from './routing-queries.ts';

interface AliasDialogProps {
  /** Undefined for a new alias. */
  readonly alias: ModelAlias | undefined;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

export function AliasDialog({ alias, ...props }: AliasDialogProps) {
  if (!alias) return <AliasFields edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={routingApi.alias}
      input={{ params: { id: alias.id } }}
      shown={formOf}
      onFailed={props.onClosed}
    >
      {(edit) => <AliasFields edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

const formOf = ({ pattern, model }: AliasBody): AliasBody => ({ pattern, model });

interface AliasFieldsProps extends Omit<AliasDialogProps, 'alias'> {
  /** Undefined for a new alias. */
  readonly edit: Edit<ModelAlias> | undefined;
}

function AliasFields({ edit, onClosed, onSaved }: AliasFieldsProps) {
  const { t } = useTranslation();
  const form = useForm<AliasBody>({
    initialValues: formOf(edit?.thing ?? { pattern: '', model: '' }),
    validate: {
      pattern: (pattern) => mistakeIn(pattern),
      model: (model, { pattern }) =>
        mistakeIn(model) ??
        (isPattern(model) && !isPattern(pattern) ? t('* in the target requires * in the alias') : null),
    },
  });
  const mistakeIn = (text: string): string | null => {
    if (text.trim() === '') return t('Enter a name');
    return isModelPattern(text) ? null : t('Use at most one *');
  };
  const save = useMutation({
    mutationFn: (body: AliasBody) =>
      edit ? edit.save((options) => updateAlias(edit.thing.id, body, options)) : createAlias(body),
    onSuccess: () => {
      showMessage('success', t('Alias saved'));
      onSaved();
    },
  });
  return (
    <FormDialog
      title={edit ? t('Edit alias') : t('Add alias')}
      isManaged={useManaged('modelAlias')(edit?.thing.id)}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
    >
      <TextInput
        label={t('Alias')}
        description={t('May contain one *, as in openai/*.')}
        autoComplete="off"
        required
        {...form.getInputProps('pattern')}
      />
      <NameField
        source="model"
        label={t('Target model')}
        description={t('* stands for the text that * in the alias matched.')}
        required
        {...form.getInputProps('model')}
        value={form.values.model}
      />
    </FormDialog>
  );
}
