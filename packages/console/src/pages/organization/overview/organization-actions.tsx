import { type Organization, organizationApi, organizationMemberApi } from '@headgate/contract';
import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots, IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { OfferOwnershipDialog } from '../members/offer-ownership-dialog.tsx';
import { hasPermission, refreshOrganizations } from '../organization-queries.ts';
import { RenameDialog } from './rename-dialog.tsx';

interface ActionsProps {
  readonly organization: Organization;
}

interface OrganizationActionsProps extends ActionsProps {
  /** True if the configuration file manages the organization. */
  readonly isManaged: boolean;
}

/** Rename, hand over, leave and delete, as the role permits. */
export function OrganizationActions({ organization, isManaged }: OrganizationActionsProps) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'rename' | 'ownership'>();
  const close = () => setDialog(undefined);
  const isMember = organization.role !== '';
  const mayDelete = hasPermission(organization, 'delete');
  return (
    <Group gap="xs">
      {hasPermission(organization, 'rename') && (
        <Button
          variant="default"
          disabled={isManaged}
          leftSection={<IconPencil size={16} stroke={1.6} aria-hidden />}
          onClick={() => setDialog('rename')}
        >
          {t('Rename')}
        </Button>
      )}
      {(isMember || mayDelete) && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('More actions')}>
              <IconDots size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {organization.role === 'owner' && (
              <Menu.Item onClick={() => setDialog('ownership')}>{t('Transfer ownership')}</Menu.Item>
            )}
            {isMember && <LeaveItem organization={organization} />}
            {mayDelete && <DeleteItem organization={organization} isManaged={isManaged} />}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'rename' && <RenameDialog id={organization.id} onClosed={close} />}
      {dialog === 'ownership' && <OfferOwnershipDialog organization={organization} onClosed={close} />}
    </Group>
  );
}

/** Refreshes the organizations and opens another one. */
function useGone() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (message: string) => {
    showMessage('success', message);
    await navigate({ to: '/organization' });
    await refreshOrganizations(queries);
  };
}

function LeaveItem({ organization: { id, name } }: ActionsProps) {
  const { t } = useTranslation();
  const gone = useGone();
  const leave = useMutation({
    mutationFn: () => call(organizationMemberApi.leave, { params: { id } }),
    onSuccess: () => gone(t('You left {name}', { name })),
  });
  return (
    <Menu.Item
      onClick={() =>
        openConfirmation({
          title: t('Leave {name}?', { name }),
          text: t('Your API tokens of this organization stop working. You need a new invitation to return.'),
          confirm: t('Leave organization'),
          onConfirm: () => leave.mutate(),
        })
      }
    >
      {t('Leave organization')}
    </Menu.Item>
  );
}

function DeleteItem({ organization: { id, name, quota }, isManaged }: OrganizationActionsProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const gone = useGone();
  const remove = useMutation({
    mutationFn: () => call(organizationApi.remove, { params: { id } }),
    onSuccess: () => gone(t('Organization {name} deleted', { name })),
  });
  return (
    <Menu.Item
      color="red"
      disabled={isManaged}
      onClick={() =>
        openConfirmation({
          title: t('Delete organization {name}?', { name }),
          text: t(
            'Its API tokens, projects and memberships are deleted, and its balance of {balance} is lost. This cannot be undone.',
            { balance: format(quota) },
          ),
          confirm: t('Delete organization'),
          onConfirm: () => remove.mutate(),
        })
      }
    >
      {t('Delete organization')}
    </Menu.Item>
  );
}
