import { type Organization, type OrganizationRole, organizationRoleLabels } from '@headgate/contract';
import { Select } from '@mantine/core';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { assignableRoles } from './assignable-roles.ts';

const roleHelp: Readonly<Record<OrganizationRole, TextKey>> = {
  owner: 'Has full access, including deleting the organization.',
  admin: 'Manages members, budgets, projects and API tokens.',
  billing: 'Adds credit, and sees the balance, usage and statements.',
  member: 'Uses their own API tokens and sees their own usage.',
  viewer: 'Sees everything except keys, and changes nothing.',
};

interface RoleSelectProps {
  readonly organization: Organization;
  /** Role that stays selectable even if the caller may not assign it. */
  readonly current?: OrganizationRole;
  readonly value?: OrganizationRole;
  readonly onChange?: (role: OrganizationRole) => void;
}

/** Roles that the caller may assign, with a description of each. */
export function RoleSelect({ organization, current, value = 'member', onChange }: RoleSelectProps) {
  const { t, label } = useTranslation();
  const offered = assignableRoles(organization);
  const roles = current && !offered.includes(current) ? [current, ...offered] : offered;
  return (
    <Select
      label={t('Role')}
      description={t(roleHelp[value])}
      allowDeselect={false}
      data={roles.map((role) => ({ value: role, label: label(organizationRoleLabels[role].label) }))}
      value={value}
      onChange={(chosen) => {
        const role = roles.find((each) => each === chosen);
        if (role) onChange?.(role);
      }}
    />
  );
}
