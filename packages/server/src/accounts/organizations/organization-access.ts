import {
  role as gatewayRole,
  isAdmin,
  isRoot,
  type OptionValues,
  type OrganizationPermission,
  type OrganizationRole,
  permissionsOfRole,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { mustSetUpSecondFactor } from '../users/user-authority.ts';
import type { OrganizationMemberRepository } from './organization-member-repository.ts';
import type { OrganizationRepository, OrganizationRow } from './organization-repository.ts';

/** A caller's role and permissions in one organization. */
export interface OrganizationCaller {
  readonly user: UserRow;
  readonly organization: OrganizationRow;
  /** Undefined for gateway admins who are not members. */
  readonly role: OrganizationRole | undefined;
  readonly permissions: readonly OrganizationPermission[];
  may(permission: OrganizationPermission): boolean;
}

/** Permissions of a caller. Gateway admins have owner permissions in every organization. */
export const permissionsOf = (
  user: Pick<UserRow, 'role'>,
  role: OrganizationRole | undefined,
): readonly OrganizationPermission[] =>
  isAdmin(user) ? permissionsOfRole('owner') : role === undefined ? [] : permissionsOfRole(role);

const readingPermissions = permissionsOfRole('owner').filter((permission) => permission.startsWith('see'));

interface Repositories {
  readonly organizations: OrganizationRepository;
  readonly members: OrganizationMemberRepository;
}

interface Options {
  readonly values: Pick<OptionValues, 'AdminSecondFactorEnabled'>;
}

/** Every call on an organization starts with this check. */
export class OrganizationAccess {
  readonly #repositories: Repositories;
  readonly #options: Options;

  constructor(repositories: Repositories, options: Options) {
    this.#repositories = repositories;
    this.#options = options;
  }

  /** Gateway admins without the required second factor have only the permissions of their memberships. */
  isGatewayAdmin(user: UserRow): boolean {
    return isAdmin(user) && !mustSetUpSecondFactor(user, this.#options.values);
  }

  /** For changes no organization role allows. If a super admin owns the organization, only super admins make them. */
  requireGatewayAdmin(user: UserRow, organization?: Pick<OrganizationRow, 'root_owners'>): void {
    if (!isAdmin(user)) throw new ApiError('notAllowed');
    if (!this.isGatewayAdmin(user)) throw new ApiError('secondFactorRequired');
    if (organization && organization.root_owners > 0 && !isRoot(user)) throw new ApiError('organizationRole');
  }

  /** Permissions of a user with this role in an organization. In one of the super admin, other admins only read. */
  permissionsOf(
    user: UserRow,
    role: OrganizationRole | undefined,
    { root_owners }: Pick<OrganizationRow, 'root_owners'>,
  ): readonly OrganizationPermission[] {
    if (!this.isGatewayAdmin(user)) return permissionsOf({ role: gatewayRole.common }, role);
    if (root_owners === 0 || isRoot(user)) return permissionsOf(user, role);
    return role === undefined ? readingPermissions : permissionsOfRole(role);
  }

  /** Users who are not members get the same error as for an unknown organization. */
  async require(user: UserRow, id: number, permission: OrganizationPermission): Promise<OrganizationCaller> {
    const { organizations, members } = this.#repositories;
    const organization = await organizations.find(id);
    const role = organization && (await members.find(id, user.id))?.role;
    if (!organization || (role === undefined && !isAdmin(user))) throw new ApiError('notFound');
    if (role === undefined && !this.isGatewayAdmin(user)) throw new ApiError('secondFactorRequired');
    const permissions = this.permissionsOf(user, role, organization);
    if (!permissions.includes(permission)) throw new ApiError('organizationRole');
    return { user, organization, role, permissions, may: (other) => permissions.includes(other) };
  }

  /** Variant inside a transaction that locks the organization, so that permissions cannot change before the commit. */
  async requireLocked(
    transaction: Transaction,
    user: UserRow,
    id: number,
    permission: OrganizationPermission,
  ): Promise<OrganizationCaller> {
    const organizations = this.#repositories.organizations.within(transaction);
    await organizations.lock(id);
    const members = this.#repositories.members.within(transaction);
    return new OrganizationAccess({ organizations, members }, this.#options).require(user, id, permission);
  }
}

/** True if the caller may change members with this role and assign it. */
export const maySetRole = (caller: Pick<OrganizationCaller, 'may'>, role: OrganizationRole): boolean =>
  role === 'owner' ? caller.may('manage_owners') : caller.may('manage_members');
