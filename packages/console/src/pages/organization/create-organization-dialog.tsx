import { organizationApi, organizationNameLength } from '@headgate/contract';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { organizationLink } from './organization-address.ts';
import { refreshOrganizations } from './organization-queries.ts';

interface CreateOrganizationProps {
  readonly onClosed: () => void;
}

/** Creates an organization and opens it. */
export function CreateOrganizationDialog({ onClosed }: CreateOrganizationProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('Enter a name') : null) },
  });
  const create = useMutation({
    mutationFn: (name: string) => call(organizationApi.create, { body: { name } }),
    onSuccess: async ({ id, name }) => {
      showMessage('success', t('Organization {name} created', { name }));
      await refreshOrganizations(queries);
      await navigate(organizationLink(id, 'overview'));
    },
  });
  return (
    <FormDialog
      title={t('Create organization')}
      submitLabel={t('Create organization')}
      isSaving={create.isPending}
      isSaved={create.isSuccess}
      onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}
      onClosed={onClosed}
    >
      <TextInput
        label={t('Name')}
        description={t('Members see it, and logs show it as payer.')}
        required
        maxLength={organizationNameLength.max}
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
