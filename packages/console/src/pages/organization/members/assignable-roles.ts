import { type Organization, type OrganizationRole, organizationRoles } from '@headgate/contract';
import { may } from '../organization-queries.ts';

/** Roles that a caller may give to others. Ownership is offered instead, except by admins of the gateway. */
export function assignableRoles(organization: Organization): readonly OrganizationRole[] {
  if (!may(organization, 'manage_members')) return [];
  return organizationRoles.filter((role) => role !== 'owner' || organization.role === '');
}
