import { type Organization, organizationMemberApi } from '@headgate/contract';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { membersQuery, refreshOrganizations } from '../organization-queries.ts';

interface OfferOwnershipProps {
  readonly organization: Organization;
  /** User ID of a preselected member. */
  readonly member?: number;
  readonly onClosed: () => void;
}

/** Offers ownership to a member, who must accept it. */
export function OfferOwnershipDialog({ organization: { id }, member, onClosed }: OfferOwnershipProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: members = [] } = useQuery(membersQuery(id));
  const form = useForm({
    initialValues: { member: member === undefined ? '' : String(member) },
    validate: { member: (value) => (value ? null : t('Select a member')) },
  });
  const offer = useMutation({
    mutationFn: (user_id: number) => call(organizationMemberApi.offerOwnership, { params: { id }, body: { user_id } }),
    onSuccess: () => {
      showMessage('success', t('Ownership offered. It is transferred when the member accepts.'));
      void refreshOrganizations(queries);
    },
  });
  return (
    <FormDialog
      title={t('Transfer ownership')}
      submitLabel={t('Offer ownership')}
      isSaving={offer.isPending}
      isSaved={offer.isSuccess}
      onSubmit={form.onSubmit((values) => offer.mutate(Number(values.member)))}
      onClosed={onClosed}
    >
      <Select
        label={t('Member')}
        description={t('When the member accepts, they become the owner and you become an admin of the organization.')}
        required
        searchable
        limit={100}
        data={members
          .filter(({ role }) => role !== 'owner')
          .map(({ user_id, username }) => ({ value: String(user_id), label: username }))}
        {...form.getInputProps('member')}
      />
    </FormDialog>
  );
}
