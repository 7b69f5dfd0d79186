import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/RadioIndicator.css';
import { type Organization, type OrganizationMember, organizationMemberApi } from '@headgate/contract';
import { Radio, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { refreshOrganizations, serviceAccountsQuery } from '../organization-queries.ts';

interface RemoveMemberProps {
  readonly organization: Organization;
  readonly member: OrganizationMember;
  readonly onClosed: () => void;
}

/** Removes a member. The member's API tokens are disabled or transferred to a service account. */
export function RemoveMemberDialog({ organization: { id, name }, member, onClosed }: RemoveMemberProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: accounts = [] } = useQuery(serviceAccountsQuery(id));
  const form = useForm({
    initialValues: { keeps: 'no', account: '' },
    validate: {
      account: (account, { keeps }) => (keeps === 'yes' && !account ? t('Select a service account') : null),
    },
  });
  const remove = useMutation({
    mutationFn: (service_account_id: number) =>
      call(organizationMemberApi.remove, { params: { id, user_id: member.user_id }, query: { service_account_id } }),
    onSuccess: () => {
      showMessage('success', t('{name} was removed', { name: member.username }));
      void refreshOrganizations(queries);
    },
  });
  const { keeps } = form.values;
  return (
    <FormDialog
      title={t('Remove {name} from {organization}?', { name: member.username, organization: name })}
      submitLabel={t('Remove member')}
      isSaving={remove.isPending}
      isSaved={remove.isSuccess}
      onSubmit={form.onSubmit(({ account }) => remove.mutate(keeps === 'yes' ? Number(account) : 0))}
      onClosed={onClosed}
    >
      <Text size="sm">{t('The member loses access immediately. You can invite the member again later.')}</Text>
      <Radio.Group label={t('API tokens of the member')} {...form.getInputProps('keeps')}>
        <Stack gap="xs" mt="xs">
          <Radio value="no" label={t('Disable them')} />
          <Radio
            value="yes"
            disabled={accounts.length === 0}
            label={t('Transfer them to a service account')}
            description={
              accounts.length === 0
                ? t('Create a service account on the Projects page first.')
                : t('They keep working. The former member knows their keys, so rotate them.')
            }
          />
        </Stack>
      </Radio.Group>
      {keeps === 'yes' && (
        <Select
          label={t('Service account')}
          required
          searchable
          data={accounts.map((account) => ({ value: String(account.id), label: account.name }))}
          {...form.getInputProps('account')}
        />
      )}
    </FormDialog>
  );
}
