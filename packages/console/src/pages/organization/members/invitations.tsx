import {
  type CreatedInvitation,
  type Organization,
  type OrganizationInvitation,
  organizationMemberApi,
  organizationRoleLabels,
} from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { invitationsQuery, refreshOrganizations } from '../organization-queries.ts';
import { InvitationLinkDialog } from './invitation-link-dialog.tsx';

/** Pending invitations, whose links can be renewed or withdrawn. */
export function Invitations({ organization: { id } }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(invitationsQuery(id));
  const [renewed, setRenewed] = useState<CreatedInvitation>();
  const pending = data?.filter(({ state }) => state === 'pending');
  if (pending?.length === 0) return null;
  return (
    <>
      <div style={{ marginTop: 24 }}>
        <RowSection
          title={t('Pending invitations')}
          rows={pending}
          error={error}
          errorTitle={t('Invitations could not be loaded')}
          onRetry={() => void refetch()}
          empty={t('No invitations')}
          tool={null}
        >
          {(invitation) => (
            <InvitationRow key={invitation.id} organizationId={id} invitation={invitation} onRenewed={setRenewed} />
          )}
        </RowSection>
      </div>
      {renewed && <InvitationLinkDialog invitation={renewed} onClosed={() => setRenewed(undefined)} />}
    </>
  );
}

interface InvitationRowProps {
  readonly organizationId: number;
  readonly invitation: OrganizationInvitation;
  readonly onRenewed: (invitation: CreatedInvitation) => void;
}

function InvitationRow({ organizationId, invitation, onRenewed }: InvitationRowProps) {
  const { t, label } = useTranslation();
  const { email, user_id, role, inviter, expires_time } = invitation;
  const { renew, withdraw } = useInvitationChanges(organizationId, invitation, onRenewed);
  const name = user_id > 0 ? t('Ownership offer') : email || t('Link for one person');
  return (
    <SectionRow
      actions={
        <>
          {user_id === 0 && (
            <Button size="xs" variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
              {email === '' ? t('New link') : t('Resend')}
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            c="var(--mantine-color-error)"
            loading={withdraw.isPending}
            onClick={() =>
              openConfirmation({
                title: t('Withdraw the invitation?'),
                text: t('Its link stops working.'),
                confirm: t('Withdraw invitation'),
                onConfirm: () => withdraw.mutate(),
              })
            }
          >
            {t('Withdraw')}
          </Button>
        </>
      }
    >
      <Text span fw={500} size="sm">
        {name}
      </Text>
      <Text span size="xs" c="dimmed">
        {[
          label(organizationRoleLabels[role].label),
          t('by {name}', { name: inviter }),
          t('expires {time}', { time: formatTime(expires_time) }),
        ].join(' · ')}
      </Text>
    </SectionRow>
  );
}

function useInvitationChanges(
  id: number,
  { id: invitation, email }: OrganizationInvitation,
  onRenewed: (invitation: CreatedInvitation) => void,
) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const params = { id, invitation };
  const refresh = () => refreshOrganizations(queries);
  const renew = useMutation({
    mutationFn: () => call(organizationMemberApi.resend, { params }),
    onSuccess: (created) => {
      if (email === '') onRenewed(created);
      else showMessage('success', t('Invitation sent to {email}', { email }));
    },
    onSettled: refresh,
  });
  const withdraw = useMutation({
    mutationFn: () => call(organizationMemberApi.withdraw, { params }),
    onSuccess: () => showMessage('success', t('Invitation withdrawn')),
    onSettled: refresh,
  });
  return { renew, withdraw };
}
