import { type Organization, type OrganizationRole, organizationRoles } from '@headgate/contract';
import { hasPermission } from '../organization-queries.ts';

/** Roles that a caller may assign. Ownership can only be offered, except by gateway admins. */
export function assignableRoles(organization: Organization): readonly OrganizationRole[] {
  if (!hasPermission(organization, 'manage_members')) return [];
  return organizationRoles.filter((role) => role !== 'owner' || organization.role === '');
}
