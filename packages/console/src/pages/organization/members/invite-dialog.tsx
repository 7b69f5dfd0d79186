import {
  type CreatedInvitation,
  invitationDays,
  type Organization,
  type OrganizationRole,
  organizationMemberApi,
} from '@headgate/contract';
import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { refreshOrganizations } from '../organization-queries.ts';
import { InvitationLinkDialog } from './invitation-link-dialog.tsx';
import { RoleSelect } from './role-select.tsx';

interface InviteForm {
  readonly by: 'email' | 'link';
  readonly email: string;
  readonly role: OrganizationRole;
  readonly days: number | string;
}

interface InviteDialogProps {
  readonly organization: Organization;
  readonly onClosed: () => void;
}

/** Invites by email, or creates a link for one person. */
export function InviteDialog({ organization, onClosed }: InviteDialogProps) {
  const [created, setCreated] = useState<CreatedInvitation>();
  if (created && created.email === '') return <InvitationLinkDialog invitation={created} onClosed={onClosed} />;
  return <InviteFields organization={organization} onCreated={setCreated} onClosed={onClosed} />;
}

interface InviteFieldsProps extends InviteDialogProps {
  readonly onCreated: (invitation: CreatedInvitation) => void;
}

function InviteFields({ organization, onCreated, onClosed }: InviteFieldsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id } = organization;
  const form = useForm<InviteForm>({
    initialValues: { by: 'link', email: '', role: 'member', days: invitationDays.default },
    validate: {
      email: (email, { by }) => (by === 'email' && !email.includes('@') ? t('Please enter an email address') : null),
    },
  });
  const invite = useMutation({
    mutationFn: ({ by, email, role, days }: InviteForm) =>
      call(organizationMemberApi.invite, {
        params: { id },
        body: { email: by === 'email' ? email.trim() : '', role, days: Number(days) || invitationDays.default },
      }),
    onSuccess: (invitation) => {
      if (invitation.email !== '') showMessage('success', t('Invitation sent to {email}', { email: invitation.email }));
      void refreshOrganizations(queries);
      onCreated(invitation);
    },
  });
  const { by } = form.values;
  return (
    <FormDialog
      title={t('Invite a member')}
      submitLabel={by === 'email' ? t('Send invitation') : t('Create link')}
      isSaving={invite.isPending}
      isSaved={invite.isSuccess && by === 'email'}
      onSubmit={form.onSubmit((values) => invite.mutate(values))}
      onClosed={onClosed}
    >
      <SegmentedControl
        aria-label={t('Invite by')}
        data={[
          { value: 'link', label: t('Link') },
          { value: 'email', label: t('Email') },
        ]}
        {...form.getInputProps('by')}
      />
      {by === 'email' && (
        <TextInput label={t('Email')} type="email" required autoComplete="off" {...form.getInputProps('email')} />
      )}
      <RoleSelect organization={organization} {...form.getInputProps('role')} />
      <NumberInput
        label={t('Valid for (days)')}
        min={1}
        max={invitationDays.max}
        allowDecimal={false}
        {...form.getInputProps('days')}
      />
    </FormDialog>
  );
}
