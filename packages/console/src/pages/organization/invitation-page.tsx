import { type OrganizationInvitation, organizationInvitationApi, organizationRoleLabels } from '@headgate/contract';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';

/**
 * Landing page of an invitation link. The token is in the hash, which browsers do not send to servers. It is read once,
 * because "Skip to content" changes the hash.
 */
export function InvitationPage() {
  const { t } = useTranslation();
  const [token] = useState(useLocation({ select: ({ hash }) => hash }));
  return (
    <AccountCard title={t('Invitation to an organization')}>
      {token === '' ? (
        <Text>{t('This link is incomplete. Open it from the email again or request a new one.')}</Text>
      ) : (
        <LinkedInvitation token={token} />
      )}
    </AccountCard>
  );
}

function LinkedInvitation({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(organizationInvitationApi.read, { body: { token } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <LoadFailed title={t('The invitation could not be loaded')} error={error} onRetry={refetch} />;
  return data ? <Choice token={token} invitation={data} /> : <Skeleton height={120} />;
}

interface ChoiceProps {
  readonly token: string;
  readonly invitation: OrganizationInvitation;
}

function Choice({ token, invitation: { organization, inviter, role, state } }: ChoiceProps) {
  const { t, label } = useTranslation();
  const accept = useMutation({ mutationFn: () => call(organizationInvitationApi.accept, { body: { token } }) });
  const decline = useMutation({ mutationFn: () => call(organizationInvitationApi.decline, { body: { token } }) });
  if (accept.isSuccess) return <Done text={t('You are now a member of {organization}.', { organization })} />;
  if (decline.isSuccess) return <Done text={t('You declined the invitation.')} />;
  if (state !== 'pending') return <Done text={t('This invitation is no longer valid.')} />;
  return (
    <Stack gap="md">
      <Text>
        {t('Invitation from {inviter} to join {organization}. Role: {role}', {
          inviter,
          organization,
          role: label(organizationRoleLabels[role].label),
        })}
      </Text>
      <Group grow>
        <Button
          variant="default"
          loading={decline.isPending}
          disabled={accept.isPending}
          onClick={() => decline.mutate()}
        >
          {t('Decline')}
        </Button>
        <Button loading={accept.isPending} disabled={decline.isPending} onClick={() => accept.mutate()}>
          {t('Accept')}
        </Button>
      </Group>
    </Stack>
  );
}

function Done({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text>{text}</Text>
      <Button component={Link} to="/" variant="default">
        {t('Home')}
      </Button>
    </Stack>
  );
}
