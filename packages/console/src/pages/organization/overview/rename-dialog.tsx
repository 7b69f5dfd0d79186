import { type Organization, organizationApi, organizationNameLength } from '@headgate/contract';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { refreshOrganizations } from '../organization-queries.ts';

interface RenameDialogProps {
  readonly id: number;
  readonly onClosed: () => void;
}

export function RenameDialog({ id, onClosed }: RenameDialogProps) {
  return (
    <EditResourceInDialog
      endpoint={organizationApi.get}
      input={{ params: { id } }}
      shown={({ name }) => name}
      onFailed={onClosed}
    >
      {(edit) => <RenameFields edit={edit} onClosed={onClosed} />}
    </EditResourceInDialog>
  );
}

interface RenameFieldsProps {
  readonly edit: Edit<Organization>;
  readonly onClosed: () => void;
}

function RenameFields({ edit, onClosed }: RenameFieldsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, name: before } = edit.thing;
  const form = useForm({
    initialValues: { name: before },
    validate: { name: (name) => (name.trim() === '' ? t('Enter a name') : null) },
  });
  const save = useMutation({
    mutationFn: (name: string) => edit.save((options) => call(organizationApi.update, { body: { id, name } }, options)),
    onSuccess: () => {
      showMessage('success', t('Organization renamed'));
      void refreshOrganizations(queries);
    },
  });
  return (
    <FormDialog
      title={t('Rename organization')}
      submitLabel={t('Rename')}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit(({ name }) => save.mutate(name.trim()))}
      onClosed={onClosed}
    >
      <TextInput label={t('Name')} required maxLength={organizationNameLength.max} {...form.getInputProps('name')} />
    </FormDialog>
  );
}
