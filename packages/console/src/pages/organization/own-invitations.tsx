import { type OrganizationInvitation, organizationInvitationApi, organizationRoleLabels } from '@headgate/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { organizationLink } from './organization-address.ts';
import { ownInvitationsQuery, refreshOrganizations } from './organization-queries.ts';

/** Pending invitations and ownership offers to the signed-in user; nothing without any. */
export function OwnInvitations() {
  const { data = [] } = useQuery(ownInvitationsQuery);
  if (data.length === 0) return null;
  return (
    <Stack gap="sm" mb="md">
      {data.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} />
      ))}
    </Stack>
  );
}

function Invitation({ invitation }: { readonly invitation: OrganizationInvitation }) {
  const { t, label } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, organization, organization_id, inviter, role, user_id } = invitation;
  const refresh = () => refreshOrganizations(queries);
  const accept = useMutation({
    mutationFn: () => call(organizationInvitationApi.accept, { body: { id } }),
    onSuccess: async () => {
      await refresh();
      await navigate(organizationLink(organization_id, 'overview'));
    },
  });
  const decline = useMutation({
    mutationFn: () => call(organizationInvitationApi.decline, { body: { id } }),
    onSuccess: () => {
      showMessage('success', t('You declined the invitation.'));
      void refresh();
    },
  });
  const values = { inviter, organization, role: label(organizationRoleLabels[role].label) };
  return (
    <Alert color="indigo" title={user_id > 0 ? t('Ownership offer') : t('Invitation to an organization')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {user_id > 0
            ? t('Ownership offer of {inviter} for {organization}.', values)
            : t('Invitation from {inviter} to join {organization}. Role: {role}', values)}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={decline.isPending} onClick={() => decline.mutate()}>
            {t('Decline')}
          </Button>
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('Accept')}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
