import { type DirectoryRole, defaultDirectoryRole, directoryRoles, organizationRoleLabels } from '@headgate/contract';
import { useTranslation } from '../../../i18n/translate.ts';
import { ClaimRows } from './claim-rows.tsx';

export interface ClaimRole {
  readonly value: string;
  readonly role: DirectoryRole;
}

interface ClaimRolesProps {
  readonly roles: readonly ClaimRole[];
  readonly onChange: (roles: readonly ClaimRole[]) => void;
}

const roleNamed = (name: string): DirectoryRole => directoryRoles.find((each) => each === name) ?? defaultDirectoryRole;

/** Table that maps values of the roles claim to roles. */
export function ClaimRoles({ roles, onChange }: ClaimRolesProps) {
  const { t, label } = useTranslation();
  return (
    <ClaimRows
      rows={roles.map(({ value, role }) => ({ value, choice: role }))}
      choices={directoryRoles.map((value) => ({ value, label: label(organizationRoleLabels[value].label) }))}
      usualChoice={defaultDirectoryRole}
      label={t('Role mapping')}
      description={t('If several values match, the highest role applies. If none matches, the user has no access.')}
      placeholder="engineering"
      choiceLabel={(number) => t('Role for claim value {number}', { number })}
      onChange={(rows) => onChange(rows.map(({ value, choice }) => ({ value, role: roleNamed(choice) })))}
    />
  );
}
