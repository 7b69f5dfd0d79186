import { isAdmin, type Organization, organizationRoleLabels } from '@headgate/contract';
import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconList, IconPlus, IconSelector } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useCanCreateOrganizations } from './can-create-organizations.ts';
import { CreateOrganizationDialog } from './create-organization-dialog.tsx';
import styles from './organization.module.css';
import { organizationLink } from './organization-address.ts';

interface SwitcherProps {
  /** Undefined if it could not be loaded. */
  readonly chosen: Organization | undefined;
  readonly own: readonly Organization[];
}

/** Switches between organizations, and creates new ones. */
export function OrganizationSwitcher({ chosen, own }: SwitcherProps) {
  const { t, label } = useTranslation();
  const user = useUser();
  const canCreate = useCanCreateOrganizations();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu position="bottom-start" shadow="md" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            className={styles['switcher'] ?? ''}
            classNames={{ label: styles['switcherName'] ?? '' }}
            rightSection={<IconSelector size={16} stroke={1.6} aria-hidden />}
            aria-label={t('Switch organization: {name}', { name: chosen?.name ?? t('None') })}
          >
            {chosen?.name ?? t('Select an organization')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {own.map((organization) => (
            <Menu.Item
              key={organization.id}
              component={Link}
              {...organizationLink(organization.id, 'overview')}
              rightSection={organization.id === chosen?.id && <IconCheck size={16} aria-label={t('Selected')} />}
            >
              {organization.name}
              {organization.role !== '' && (
                <Text size="xs" c="dimmed">
                  {label(organizationRoleLabels[organization.role].label)}
                </Text>
              )}
            </Menu.Item>
          ))}
          {(canCreate || isAdmin(user)) && own.length > 0 && <Menu.Divider />}
          {isAdmin(user) && (
            <Menu.Item component={Link} to="/organization/all" leftSection={<IconList size={16} aria-hidden />}>
              {t('All organizations')}
            </Menu.Item>
          )}
          {canCreate && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              {t('Create organization')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCreating && <CreateOrganizationDialog onClosed={() => setCreating(false)} />}
    </>
  );
}
