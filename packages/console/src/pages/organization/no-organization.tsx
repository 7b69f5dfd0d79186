import { isAdmin } from '@headgate/contract';
import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useCanCreateOrganizations } from './can-create-organizations.ts';
import { CreateOrganizationDialog } from './create-organization-dialog.tsx';
import { OwnInvitations } from './own-invitations.tsx';

/** For users who belong to no organization: invitations, and how to create one. */
export function NoOrganization() {
  const { t } = useTranslation();
  const user = useUser();
  const canCreate = useCanCreateOrganizations();
  const [isCreating, setCreating] = useState(false);
  return (
    <Stack gap="lg" maw={640}>
      <Title order={1}>{t('Organization')}</Title>
      <OwnInvitations />
      <Paper withBorder p="lg">
        <Stack gap="md" align="flex-start">
          <Text>{t('You do not belong to an organization.')}</Text>
          <Text c="dimmed" size="sm">
            {t('Members of an organization share one balance, with roles, budgets and projects.')}
          </Text>
          {canCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              {t('Create organization')}
            </Button>
          )}
          {isAdmin(user) && (
            <Anchor component={Link} to="/organization/all" size="sm">
              {t('All organizations')}
            </Anchor>
          )}
        </Stack>
      </Paper>
      {isCreating && <CreateOrganizationDialog onClosed={() => setCreating(false)} />}
    </Stack>
  );
}
