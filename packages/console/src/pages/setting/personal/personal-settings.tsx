import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconLink, IconTrash, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import { AccessToken } from './access-token.tsx';
import { PersonalAccessTokens } from './access-tokens.tsx';
import { PersonalBindings } from './bindings.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { PersonalPasskeys } from './passkeys.tsx';
import { readInviteCode } from './personal-queries.ts';
import { PersonalRootSignIn } from './root-sign-in.tsx';
import { PersonalSecondFactor } from './second-factor.tsx';
import { PersonalSessions } from './sessions.tsx';
import { PersonalStoredPayloads } from './stored-payloads.tsx';

export function PersonalSettings() {
  return (
    <Stack gap="lg" maw={640}>
      <Account />
      <PersonalBindings />
      <PersonalRootSignIn />
      <PersonalSecondFactor />
      <PersonalPasskeys />
      <PersonalSessions />
      <AccessToken />
      <PersonalAccessTokens />
      <PersonalStoredPayloads />
      <DangerZone />
    </Stack>
  );
}

function Account() {
  const { t } = useTranslation();
  const invite = useInviteLink();
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb="md">
        {t('Account')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Button component={Link} to="/user/edit" variant="default" leftSection={<IconUser size={16} aria-hidden />}>
          {t('Update personal info')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          loading={invite.isPending}
          onClick={invite.copy}
        >
          {t('Copy invite link')}
        </Button>
      </SimpleGrid>
      {invite.link && (
        <TextInput
          mt="md"
          readOnly
          label={t('Invite link')}
          value={invite.link}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </Paper>
  );
}

function DangerZone() {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Paper withBorder p="lg" component="section">
        <Title order={2} mb={4}>
          {t('Danger zone')}
        </Title>
        <Text c="dimmed" mb="md">
          {t('Deleting your account revokes all its tokens and cannot be undone.')}
        </Text>
        <Group>
          <Button
            color="red"
            variant="light"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            {t('Delete own account')}
          </Button>
        </Group>
      </Paper>
      <DeleteAccount isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  );
}

/** Invitation link of this user. */
function useInviteLink() {
  const { t } = useTranslation();
  const read = useMutation({
    mutationFn: async () => `${window.location.origin}/register?aff=${encodeURIComponent(await readInviteCode())}`,
    onSuccess: (link) => copyWithMessage(link, undefined, t('Invite link copied')),
  });
  return { link: read.data, isPending: read.isPending, copy: () => read.mutate() };
}
