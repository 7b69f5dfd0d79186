/** Roles inside one organization. They never grant rights over the gateway. */
export const organizationRoles = ['owner', 'admin', 'billing', 'member', 'viewer'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

export const organizationRoleLabels: Readonly<
  Record<OrganizationRole, { readonly label: string; readonly color: string }>
> = {
  owner: { label: 'Owner', color: 'orange' },
  admin: { label: 'Organization admin', color: 'yellow' },
  billing: { label: 'Billing', color: 'green' },
  member: { label: 'Member', color: 'blue' },
  viewer: { label: 'Viewer', color: 'gray' },
};

/** Roles with each permission. No other code decides what a role may do in an organization. */
export const organizationPermissions = {
  /** Name and own role. */
  see: ['owner', 'admin', 'billing', 'member', 'viewer'],
  rename: ['owner', 'admin'],
  delete: ['owner'],
  /** Balance and credits. */
  see_balance: ['owner', 'admin', 'billing', 'viewer'],
  /** Redeem a code for the organization. */
  add_credit: ['owner', 'billing'],
  see_members: ['owner', 'admin', 'billing', 'viewer'],
  /** Invitations, roles below owner, removal. */
  manage_members: ['owner', 'admin'],
  /** Roles and removal of owners, and ownership offers. */
  manage_owners: ['owner'],
  /** Directory (SCIM), sign-in providers and domains. */
  manage_sign_in: ['owner'],
  see_budgets: ['owner', 'admin', 'billing', 'viewer'],
  manage_budgets: ['owner', 'admin'],
  see_projects: ['owner', 'admin', 'billing', 'member', 'viewer'],
  manage_projects: ['owner', 'admin'],
  manage_service_accounts: ['owner', 'admin'],
  /** API tokens of the caller. */
  use_tokens: ['owner', 'admin', 'member'],
  see_tokens: ['owner', 'admin', 'viewer'],
  /** API tokens of other members and of service accounts. */
  manage_tokens: ['owner', 'admin'],
  /** Requests and usage of all members; without it, only the caller's own. */
  see_usage: ['owner', 'admin', 'billing', 'viewer'],
  see_statements: ['owner', 'admin', 'billing'],
} as const satisfies Readonly<Record<string, readonly OrganizationRole[]>>;

export type OrganizationPermission = keyof typeof organizationPermissions;

const allPermissions = Object.keys(organizationPermissions) as readonly OrganizationPermission[];

export function hasOrganizationPermission(role: OrganizationRole, permission: OrganizationPermission): boolean {
  const roles: readonly OrganizationRole[] = organizationPermissions[permission];
  return roles.includes(role);
}

export const permissionsOfRole = (role: OrganizationRole): readonly OrganizationPermission[] =>
  allPermissions.filter((permission) => hasOrganizationPermission(role, permission));
